//! Texture mappers and their arguments (docs/formats/w3d/materials.md#mappers).

use glam::Vec2;
use scene::{
    Axis, BumpEnvironment, Edge, Environment, EnvironmentSource, Grid, LinearOffset, Random, Rotate,
    SineLinearOffset, StepLinearOffset, UvMapper, ZigZagLinearOffset,
};
use w3d::names::Mapper;

/// The arguments of a mapper. Each is removed when it is read; the rest is unknown.
pub(super) struct Arguments(pub(super) Vec<(String, String)>);

impl Arguments {
    fn take(&mut self, key: &str) -> Option<String> {
        let index = self.0.iter().position(|(name, _)| name.eq_ignore_ascii_case(key))?;
        Some(self.0.remove(index).1)
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
    Some(match Mapper::new(number) {
        Mapper::UV => UvMapper::Uv,
        Mapper::ENVIRONMENT => environment(args, Reflection, false, false),
        Mapper::CHEAP_ENVIRONMENT => environment(args, Normal, false, false),
        Mapper::SCREEN => UvMapper::Screen(linear_offset(args)),
        Mapper::LINEAR_OFFSET => UvMapper::LinearOffset(linear_offset(args)),
        Mapper::SILHOUETTE => UvMapper::Silhouette,
        Mapper::SCALE => UvMapper::Scale(args.scale()),
        Mapper::GRID => UvMapper::Grid(grid(args)),
        Mapper::ROTATE => {
            let plain = Rotate::default();
            UvMapper::Rotate(Rotate {
                speed: args.float("Speed", plain.speed),
                center: args.pair("UCenter", "VCenter", plain.center),
                scale: args.scale(),
            })
        }
        Mapper::SINE_LINEAR_OFFSET => {
            let plain = SineLinearOffset::default();
            UvMapper::SineLinearOffset(SineLinearOffset {
                amplitude: args.pair("UAmp", "VAmp", plain.amplitude),
                frequency: args.pair("UFreq", "VFreq", plain.frequency),
                phase: args.pair("UPhase", "VPhase", plain.phase),
                scale: args.scale(),
            })
        }
        Mapper::STEP_LINEAR_OFFSET => UvMapper::StepLinearOffset(StepLinearOffset {
            step: args.pair("UStep", "VStep", Vec2::ZERO),
            steps_per_second: args.float("SPS", 0.0),
            scale: args.scale(),
            clamp: args.flag("ClampFix"),
        }),
        Mapper::ZIGZAG_LINEAR_OFFSET => UvMapper::ZigZagLinearOffset(ZigZagLinearOffset {
            speed: args.pair("UPerSec", "VPerSec", Vec2::ZERO),
            period: args.float("Period", 0.0),
            scale: args.scale(),
        }),
        Mapper::WS_CLASSIC_ENV => environment(args, Normal, true, false),
        Mapper::WS_ENVIRONMENT => environment(args, Reflection, true, false),
        Mapper::GRID_CLASSIC_ENV => environment(args, Normal, false, true),
        Mapper::GRID_ENVIRONMENT => environment(args, Reflection, false, true),
        Mapper::RANDOM => UvMapper::Random(Random {
            frames_per_second: args.float("FPS", 0.0),
            speed: args.pair("UPerSec", "VPerSec", Vec2::ZERO),
            scale: args.scale(),
        }),
        Mapper::EDGE => UvMapper::Edge(Edge {
            speed: args.float("VPerSec", 0.0),
            start: args.float("VStart", 0.0),
            reflection: args.flag("UseReflect"),
        }),
        Mapper::BUMPENV => UvMapper::BumpEnvironment(BumpEnvironment {
            rotation: args.float("BumpRotation", 0.0),
            bump_scale: args.float("BumpScale", 1.0),
            offset: linear_offset(args),
        }),
        Mapper::GRID_WS_CLASSIC_ENV => environment(args, Normal, true, true),
        Mapper::GRID_WS_ENVIRONMENT => environment(args, Reflection, true, true),
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
        assert_eq!(leading_number(""), None);
        assert_eq!((leading_number("1e99"), leading_number("-")), (None, None));
        assert_eq!((leading_number("+.5"), leading_number("2.5e1x")), (Some(0.5), Some(25.0)));
        // One digit is a number. No more than 64 characters are looked at.
        assert_eq!(leading_number("7"), Some(7.0));
        let long = format!("1.{}", "0".repeat(62));
        assert_eq!(leading_number(&long), Some(1.0));
        assert_eq!(leading_number(&format!("{}5", "0".repeat(63))), Some(5.0));
        assert_eq!(leading_number(&format!("{}5", "0".repeat(64))), Some(0.0));
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

    /// All arguments at once, each with a value of its own; the mapper takes those that it knows.
    fn mapped(number: u8, keys: &[&str]) -> UvMapper {
        let pairs: Vec<(String, String)> =
            (2..).zip(keys).map(|(value, key): (u32, _)| ((*key).to_owned(), value.to_string())).collect();
        let mut args = Arguments(pairs);
        let found = mapper(number, &mut args).expect("a mapper");
        assert!(args.0.is_empty(), "{number:#x} does not know {:?}", args.0);
        found
    }

    #[test]
    fn every_mapper_knows_its_arguments() {
        let (ab, cd, ef, gh) =
            (Vec2::new(2.0, 3.0), Vec2::new(4.0, 5.0), Vec2::new(6.0, 7.0), Vec2::new(8.0, 9.0));
        const LINEAR: [&str; 7] =
            ["UPerSec", "VPerSec", "UOffset", "VOffset", "UScale", "VScale", "ClampFix"];
        let linear = LinearOffset { speed: ab, start: cd, scale: ef, clamp: true };
        assert_eq!(mapped(0x03, &LINEAR), UvMapper::Screen(linear));
        assert_eq!(mapped(0x04, &LINEAR), UvMapper::LinearOffset(linear));
        assert_eq!(mapped(0x06, &["UScale", "VScale"]), UvMapper::Scale(ab));
        const GRID: [&str; 4] = ["FPS", "Log2Width", "Last", "Offset"];
        let grid = Grid { frames_per_second: 2.0, log2_width: 3, last: 4, offset: 5 };
        assert_eq!(mapped(0x07, &GRID), UvMapper::Grid(grid));
        assert_eq!(
            mapped(0x08, &["UCenter", "VCenter", "UScale", "VScale", "Speed"]),
            UvMapper::Rotate(Rotate { speed: 6.0, center: ab, scale: cd })
        );
        assert_eq!(
            mapped(0x09, &["UAmp", "VAmp", "UFreq", "VFreq", "UPhase", "VPhase", "UScale", "VScale"]),
            UvMapper::SineLinearOffset(SineLinearOffset {
                amplitude: ab,
                frequency: cd,
                phase: ef,
                scale: gh
            })
        );
        assert_eq!(
            mapped(0x0A, &["UStep", "VStep", "UScale", "VScale", "SPS", "ClampFix"]),
            UvMapper::StepLinearOffset(StepLinearOffset {
                step: ab,
                steps_per_second: 6.0,
                scale: cd,
                clamp: true
            })
        );
        assert_eq!(
            mapped(0x0B, &["UPerSec", "VPerSec", "UScale", "VScale", "Period"]),
            UvMapper::ZigZagLinearOffset(ZigZagLinearOffset { speed: ab, period: 6.0, scale: cd })
        );
        assert_eq!(
            mapped(0x10, &["UPerSec", "VPerSec", "UScale", "VScale", "FPS"]),
            UvMapper::Random(Random { frames_per_second: 6.0, speed: ab, scale: cd })
        );
        assert_eq!(
            mapped(0x11, &["VPerSec", "VStart", "UseReflect"]),
            UvMapper::Edge(Edge { speed: 2.0, start: 3.0, reflection: true })
        );
        let bump = [&LINEAR[..], &["BumpRotation", "BumpScale"]].concat();
        assert_eq!(
            mapped(0x12, &bump),
            UvMapper::BumpEnvironment(BumpEnvironment { rotation: 9.0, bump_scale: 10.0, offset: linear })
        );
        use EnvironmentSource::{Normal, Reflection};
        let with_grid =
            |source, world_axis| UvMapper::Environment(Environment { source, world_axis, grid: Some(grid) });
        assert_eq!(mapped(0x0E, &GRID), with_grid(Normal, None));
        assert_eq!(mapped(0x0F, &GRID), with_grid(Reflection, None));
        assert_eq!(mapped(0x13, &GRID), with_grid(Normal, Some(Axis::Z)));
        assert_eq!(mapped(0x14, &GRID), with_grid(Reflection, Some(Axis::Z)));
        let plain =
            |source, world_axis| UvMapper::Environment(Environment { source, world_axis, grid: None });
        assert_eq!(mapped(0x01, &[]), plain(Reflection, None));
        assert_eq!(mapped(0x02, &[]), plain(Normal, None));
        assert_eq!(mapped(0x0D, &[]), plain(Reflection, Some(Axis::Z)));
        assert_eq!((mapped(0x00, &[]), mapped(0x05, &[])), (UvMapper::Uv, UvMapper::Silhouette));
    }

    #[test]
    fn mappers_have_the_engines_defaults() {
        assert_eq!(
            mapped(0x07, &[]),
            UvMapper::Grid(Grid { frames_per_second: 1.0, log2_width: 1, last: 0, offset: 0 })
        );
        assert_eq!(
            mapped(0x08, &[]),
            UvMapper::Rotate(Rotate { speed: 0.1, center: Vec2::ZERO, scale: Vec2::ONE })
        );
        let (zero, one) = (Vec2::ZERO, Vec2::ONE);
        assert_eq!(
            mapped(0x09, &[]),
            UvMapper::SineLinearOffset(SineLinearOffset {
                amplitude: one,
                frequency: one,
                phase: zero,
                scale: one
            })
        );
        let still = LinearOffset { speed: zero, start: zero, scale: one, clamp: false };
        assert_eq!(mapped(0x04, &[]), UvMapper::LinearOffset(still));
        assert_eq!(mapped(0x03, &[]), UvMapper::Screen(still));
        assert_eq!(mapped(0x06, &[]), UvMapper::Scale(one));
        assert_eq!(
            mapped(0x0A, &[]),
            UvMapper::StepLinearOffset(StepLinearOffset {
                step: zero,
                steps_per_second: 0.0,
                scale: one,
                clamp: false
            })
        );
        assert_eq!(
            mapped(0x0B, &[]),
            UvMapper::ZigZagLinearOffset(ZigZagLinearOffset { speed: zero, period: 0.0, scale: one })
        );
        assert_eq!(
            mapped(0x10, &[]),
            UvMapper::Random(Random { frames_per_second: 0.0, speed: zero, scale: one })
        );
        assert_eq!(mapped(0x11, &[]), UvMapper::Edge(Edge { speed: 0.0, start: 0.0, reflection: false }));
        let grid = Grid { frames_per_second: 1.0, log2_width: 1, last: 0, offset: 0 };
        for (number, source, world_axis) in [
            (0x0E, EnvironmentSource::Normal, None),
            (0x13, EnvironmentSource::Normal, Some(Axis::Z)),
            (0x14, EnvironmentSource::Reflection, Some(Axis::Z)),
        ] {
            let wanted = Environment { source, world_axis, grid: Some(grid) };
            assert_eq!(mapped(number, &[]), UvMapper::Environment(wanted), "{number:#x}");
        }
        assert_eq!(
            mapped(0x12, &[]),
            UvMapper::BumpEnvironment(BumpEnvironment { rotation: 0.0, bump_scale: 1.0, offset: still })
        );
    }

    /// A count that is not given is the engine's; one that is negative is none.
    #[test]
    fn counts_are_whole_and_not_negative() {
        let cells = |text| match mapper(0x07, &mut arguments(&[("Last", text)])) {
            Some(UvMapper::Grid(grid)) => grid.last,
            _ => 99,
        };
        assert_eq!(["7", "7.9", "-3", "x"].map(cells), [7, 7, 0, 0]);
    }

    #[test]
    fn flags_are_numbers_or_words() {
        let clamps = |text: &str| arguments(&[("ClampFix", text)]).flag("ClampFix");
        assert!(["1", "true", "Yes", "2"].map(clamps).iter().all(|on| *on));
        assert!(["0", "false", "No", ""].map(clamps).iter().all(|on| !on));
        assert!(!arguments(&[]).flag("ClampFix"));
    }

    #[test]
    fn axes_are_letters_or_numbers() {
        let axis = |text| match mapper(0x0C, &mut arguments(&[("Axis", text)])) {
            Some(UvMapper::Environment(environment)) => environment.world_axis,
            _ => None,
        };
        for (text, wanted) in
            [("x", Axis::X), ("0", Axis::X), ("Y", Axis::Y), (" 1", Axis::Y), ("z", Axis::Z), ("2", Axis::Z)]
        {
            assert_eq!(axis(text), Some(wanted), "{text}");
        }
    }
}
