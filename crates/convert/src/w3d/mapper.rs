//! Texture mappers and their arguments (w3d-errata 2.22).

use glam::Vec2;
use scene::{
    Axis, BumpEnvironment, Edge, Environment, EnvironmentSource, Grid, LinearOffset, Random, Rotate,
    SineLinearOffset, StepLinearOffset, UvMapper, ZigZagLinearOffset,
};

/// The arguments of a mapper, read one after the other; what is left at the end is nobody's.
pub(super) struct Arguments(pub(super) Vec<(String, String)>);

impl Arguments {
    fn take(&mut self, key: &str) -> Option<String> {
        let at = self.0.iter().position(|(name, _)| name.eq_ignore_ascii_case(key))?;
        Some(self.0.remove(at).1)
    }

    fn float(&mut self, key: &str, default: f32) -> f32 {
        self.take(key).and_then(|text| leading_number(&text)).unwrap_or(default)
    }

    /// A count; a negative one is none.
    fn count(&mut self, key: &str, default: u32) -> u32 {
        self.take(key).and_then(|text| leading_number(&text)).map_or(default, |number| number as u32)
    }

    fn pair(&mut self, u: &str, v: &str, default: Vec2) -> Vec2 {
        Vec2::new(self.float(u, default.x), self.float(v, default.y))
    }

    fn scale(&mut self) -> Vec2 {
        self.pair("UScale", "VScale", Vec2::ONE)
    }

    fn flag(&mut self, key: &str) -> bool {
        self.take(key).is_some_and(|text| {
            leading_number(&text)
                .map_or_else(|| text.starts_with(['t', 'T', 'y', 'Y']), |number| number != 0.0)
        })
    }
}

/// The number that a text starts with, as C's `atof` reads it.
fn leading_number(text: &str) -> Option<f32> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(text.len());
    (1..=end.min(64))
        .rev()
        .find_map(|end| text.get(..end)?.parse().ok())
        .filter(|number: &f32| number.is_finite())
}

fn linear_offset(args: &mut Arguments) -> LinearOffset {
    LinearOffset {
        speed: args.pair("UPerSec", "VPerSec", Vec2::ZERO),
        start: args.pair("UOffset", "VOffset", Vec2::ZERO),
        scale: args.scale(),
        clamp: args.flag("ClampFix"),
    }
}

fn grid(args: &mut Arguments) -> Grid {
    let plain = Grid::default();
    Grid {
        frames_per_second: args.float("FPS", plain.frames_per_second),
        log2_width: args.count("Log2Width", plain.log2_width),
        last: args.count("Last", plain.last),
        offset: args.count("Offset", plain.offset),
    }
}

fn environment(args: &mut Arguments, source: EnvironmentSource, world: bool, has_grid: bool) -> UvMapper {
    let axis = |text: String| match text.trim().as_bytes().first() {
        Some(b'x' | b'X' | b'0') => Axis::X,
        Some(b'y' | b'Y' | b'1') => Axis::Y,
        _ => Axis::Z,
    };
    UvMapper::Environment(Environment {
        source,
        world_axis: world.then(|| args.take("Axis").map_or(Axis::Z, axis)),
        grid: has_grid.then(|| grid(args)),
    })
}

/// The mapper of this number, a byte of the vertex material's flags. Nothing if there is none of this number.
pub(super) fn mapper(number: u8, args: &mut Arguments) -> Option<UvMapper> {
    use EnvironmentSource::{Normal, Reflection};
    Some(match number {
        0x00 => UvMapper::Uv,
        0x01 => environment(args, Reflection, false, false),
        0x02 => environment(args, Normal, false, false),
        0x03 => UvMapper::Screen(linear_offset(args)),
        0x04 => UvMapper::LinearOffset(linear_offset(args)),
        0x05 => UvMapper::Silhouette,
        0x06 => UvMapper::Scale(args.scale()),
        0x07 => UvMapper::Grid(grid(args)),
        0x08 => {
            let plain = Rotate::default();
            UvMapper::Rotate(Rotate {
                speed: args.float("Speed", plain.speed),
                center: args.pair("UCenter", "VCenter", plain.center),
                scale: args.scale(),
            })
        }
        0x09 => {
            let plain = SineLinearOffset::default();
            UvMapper::SineLinearOffset(SineLinearOffset {
                amplitude: args.pair("UAmp", "VAmp", plain.amplitude),
                frequency: args.pair("UFreq", "VFreq", plain.frequency),
                phase: args.pair("UPhase", "VPhase", plain.phase),
                scale: args.scale(),
            })
        }
        0x0A => UvMapper::StepLinearOffset(StepLinearOffset {
            step: args.pair("UStep", "VStep", Vec2::ZERO),
            steps_per_second: args.float("SPS", 0.0),
            scale: args.scale(),
            clamp: args.flag("ClampFix"),
        }),
        0x0B => UvMapper::ZigZagLinearOffset(ZigZagLinearOffset {
            speed: args.pair("UPerSec", "VPerSec", Vec2::ZERO),
            period: args.float("Period", 0.0),
            scale: args.scale(),
        }),
        0x0C => environment(args, Normal, true, false),
        0x0D => environment(args, Reflection, true, false),
        0x0E => environment(args, Normal, false, true),
        0x0F => environment(args, Reflection, false, true),
        0x10 => UvMapper::Random(Random {
            frames_per_second: args.float("FPS", 0.0),
            speed: args.pair("UPerSec", "VPerSec", Vec2::ZERO),
            scale: args.scale(),
        }),
        0x11 => UvMapper::Edge(Edge {
            speed: args.float("VPerSec", 0.0),
            start: args.float("VStart", 0.0),
            reflection: args.flag("UseReflect"),
        }),
        0x12 => UvMapper::BumpEnvironment(BumpEnvironment {
            rotation: args.float("BumpRotation", 0.0),
            bump_scale: args.float("BumpScale", 1.0),
            offset: linear_offset(args),
        }),
        0x13 => environment(args, Normal, true, true),
        0x14 => environment(args, Reflection, true, true),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(pairs: &[(&str, &str)]) -> Arguments {
        Arguments(pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn numbers_are_read_as_c_does() {
        assert_eq!(leading_number("0.5f"), Some(0.5));
        assert_eq!(leading_number(" -2.0 per second"), Some(-2.0));
        assert_eq!(leading_number("1e"), Some(1.0));
        assert_eq!(leading_number("fast"), None);
    }

    #[test]
    fn arguments_are_used_or_left() {
        let mut args = arguments(&[("upersec", "0.25"), ("VScale", "2"), ("Log1Width", "3")]);
        let offset =
            LinearOffset { speed: Vec2::new(0.25, 0.0), scale: Vec2::new(1.0, 2.0), ..Default::default() };
        assert_eq!(mapper(4, &mut args), Some(UvMapper::LinearOffset(offset)));
        assert_eq!(args.0, [("Log1Width".to_owned(), "3".to_owned())]);
        assert_eq!(mapper(0x15, &mut args), None);
    }

    #[test]
    fn world_space_environments_have_an_axis() {
        let mapped = mapper(0x0C, &mut arguments(&[("Axis", "X")]));
        let wanted = Environment { source: EnvironmentSource::Normal, world_axis: Some(Axis::X), grid: None };
        assert_eq!(mapped, Some(UvMapper::Environment(wanted)));
    }
}
