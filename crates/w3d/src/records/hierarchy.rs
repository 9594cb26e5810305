//! Skeletons.

use record::{Chars, F32, Quaternion, U32, Vec3, records};

use crate::names::Version;

records! {
    /// Name and size of a skeleton (`W3dHierarchyStruct`).
    pub struct HierarchyHeader: 36 {
        0 version: Version, "Format version; before 3.0 all bone indices are one too low.";
        4 name: Chars<16>, "Name.";
        20 num_pivots: U32, "Number of pivots.";
        24 center: Vec3, "Centre.";
    }

    /// A bone (`W3dPivotStruct`). Pivot 0 is the root; parents come before their children.
    pub struct Pivot: 60 {
        0 name: Chars<16>, "Name.";
        16 parent_idx: U32, "Parent, or 0xFFFFFFFF for the root.";
        20 translation: Vec3, "Translation from the parent at rest.";
        32 euler_angles: Vec3, "Orientation as angles; engines ignore it.";
        44 rotation: Quaternion, "Rotation from the parent at rest.";
    }

    /// The exporter's correction of a bone (`W3dPivotFixupStruct`): four rows, axes then position. Engines ignore it.
    pub struct PivotFixup: 48 {
        0 tm: [[F32; 3]; 4], "Rows of the matrix, as 3ds Max has them.";
    }
}

impl Pivot {
    /// The parent's index; `None` for the root.
    pub fn parent(&self) -> Option<u32> {
        Some(self.parent_idx.get()).filter(|parent| *parent != u32::MAX)
    }
}
