//! A folder of fixtures made by our own builders, and the program run in it.

use meshwright::{mdx, record, texture, w3d};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use meshwright::w3d::{W3d, table};

/// A temporary folder to run the program in; it goes away when this is dropped.
pub(crate) struct Bench {
    folder: tempfile::TempDir,
}

/// What a run gave.
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

impl Bench {
    pub(crate) fn empty() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder can be made") }
    }

    /// With the fixtures that the golden files show.
    pub(crate) fn with_fixtures() -> Self {
        let bench = Self::empty();
        bench.write("mwcrate.w3d", w3d::sample::crate_box());
        bench.write("damaged.w3d", damaged());
        bench.write("lid.w3d", lid());
        bench.write("changed.w3d", changed());
        bench.write("garbage.bin", *b"\x7fELF\x02\x01\x01\x00 nothing of ours");
        bench
    }

    /// With a model of each version and game of the other family.
    pub(crate) fn with_mdx() -> Self {
        let bench = Self::empty();
        for (name, bytes) in mdx::build::samples() {
            bench.write(&format!("{name}.mdx"), bytes);
        }
        bench
    }

    /// With the crate in parts, as games have their characters: the meshes, the skeleton, the animation; and a texture elsewhere.
    pub(crate) fn with_parts() -> Self {
        let bench = Self::empty();
        let is_part = |chunk: &record::Node<'_>, which: &str| match which {
            "skeleton" => chunk.is(&table::HIERARCHY),
            "animation" => chunk.is(&table::ANIMATION),
            _ => !chunk.is(&table::HIERARCHY) && !chunk.is(&table::ANIMATION),
        };
        let part = |which: &str| {
            let bytes = w3d::sample::crate_box();
            let mut file = W3d::parse(&bytes).expect("the sample can be read");
            let children = file.root.children_mut().expect("a file has children");
            children.retain(|chunk| is_part(chunk, which));
            file.to_bytes().expect("the sample can be written")
        };
        bench.write("box.w3d", part("meshes"));
        bench.write("MWCrate_SKL.W3D", part("skeleton"));
        bench.write("mwcrate_open.w3d", part("animation"));
        let picture = texture::Image::new(2, 2, [200, 120, 40, 255].repeat(4)).expect("a small picture");
        bench.write("art/wood/MWCRATE.TGA", texture::encode_tga(&picture).expect("it can be written"));
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("folders can be made");
        fs::write(path, bytes).expect("fixtures can be written");
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Every file below the folder, with paths from it, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        fn walk(top: &Path, folder: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(folder).expect("the folder can be read").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    walk(top, &path, found);
                } else if let Ok(relative) = path.strip_prefix(top) {
                    found.push(relative.to_string_lossy().replace('\\', "/"));
                }
            }
        }
        let mut found = Vec::new();
        walk(self.folder.path(), self.folder.path(), &mut found);
        found.sort();
        found
    }

    /// The program, to be run in the folder. Colours and widths of the environment are ignored.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_meshwright"));
        command.args(words).current_dir(self.folder.path()).stdin(Stdio::null());
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(variable);
        }
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Run {
        self.command(words).output().expect("the program starts").into()
    }

    /// The same after words to the shell, which may set limits.
    #[cfg(unix)]
    pub(crate) fn run_after(&self, shell: &str, words: &[&str]) -> Run {
        let program = env!("CARGO_BIN_EXE_meshwright");
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{shell}; exec \"$0\" \"$@\""), program]).args(words);
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command.output().expect("there is a shell").into()
    }

    /// The same, and the most memory that it ever had, in kilobytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn run_measured(&self, words: &[&str]) -> (Run, u64) {
        let log = |name: &str| std::fs::File::create(self.path(name)).expect("files can be made");
        let mut command = Command::new(env!("CARGO_BIN_EXE_meshwright"));
        command.args(words).current_dir(self.folder.path()).stdin(Stdio::null());
        let mut child = command.stdout(log("stdout")).stderr(log("stderr")).spawn().expect("it can be run");
        let status = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        let ended = loop {
            // The kernel keeps the peak, so all that is lost is what is taken in the last moment.
            let said = std::fs::read_to_string(&status).unwrap_or_default();
            let line = said.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
            peak = peak.max(number.unwrap_or(0));
            if let Some(ended) = child.try_wait().expect("it is ours") {
                break ended;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        };
        let read = |name: &str| std::fs::read(self.path(name)).expect("it was written");
        let output = Output { status: ended, stdout: read("stdout"), stderr: read("stderr") };
        (output.into(), peak)
    }

    /// The same in a terminal of this many columns: all that it shows.
    #[cfg(target_os = "linux")]
    pub(crate) fn run_in_terminal(&self, columns: u16, words: &[&str]) -> String {
        use std::io::Read;
        let (mut child, mut terminal) = self.start_in_terminal(columns, words);
        let mut shown = Vec::new();
        let _ = terminal.read_to_end(&mut shown);
        let code = child.wait().expect("the program ends").code().unwrap_or(-1);
        let text = String::from_utf8(shown).expect("it shows text").replace("\r\n", "\n");
        format!("{text}--- exit code {code}\n")
    }

    /// Starts the program in a terminal. Reading from the terminal ends with an error once the program has ended.
    #[cfg(target_os = "linux")]
    pub(crate) fn start_in_terminal(&self, columns: u16, words: &[&str]) -> (std::process::Child, fs::File) {
        use rustix::fs::{Mode, OFlags};
        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("a terminal can be opened");
        let name = ptsname(&master, Vec::new()).expect("a terminal has a name");
        let slave = rustix::fs::open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty());
        let slave = slave.expect("a terminal can be opened");
        let size = rustix::termios::Winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        rustix::termios::tcsetwinsize(&slave, size).expect("a terminal has a size");
        let again = || slave.try_clone().expect("a terminal has many ends");
        let mut command = self.command(words);
        command.env("TERM", "xterm").stdout(again()).stderr(again());
        let child = command.spawn().expect("the program starts");
        (child, fs::File::from(master))
    }

    /// The same with something on standard input.
    pub(crate) fn run_with(&self, words: &[&str], input: &[u8]) -> Output {
        let mut child = self
            .command(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("standard input is piped");
        stdin.write_all(input).expect("the program reads its input");
        drop(stdin);
        child.wait_with_output().expect("the program ends")
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            stdout: String::from_utf8(output.stdout).expect("standard output is text"),
            stderr: String::from_utf8(output.stderr).expect("standard error is text"),
            code: output.status.code(),
        }
    }
}

/// The crate, cut off within its skeleton.
pub(crate) fn damaged() -> Vec<u8> {
    w3d::sample::crate_box()[..3474].to_vec()
}

/// The crate without its skeleton and its body: a model that needs other files.
pub(crate) fn lid() -> Vec<u8> {
    let bytes = w3d::sample::crate_box();
    let mut file = W3d::parse(&bytes).expect("the sample can be read");
    let children = file.root.children_mut().expect("a file has children");
    children.remove(0);
    children.retain(|child| !child.is(&table::HIERARCHY));
    file.to_bytes().expect("the sample can be written")
}

/// The crate with a field, a vertex, a name and the order changed, and a part added and removed.
pub(crate) fn changed() -> Vec<u8> {
    let bytes = w3d::sample::crate_box();
    let mut file = W3d::parse(&bytes).expect("the sample can be read");
    let root = &mut file.root;
    let header =
        root.find_mut("MESH[0]/MESH_HEADER3").and_then(|node| node.value_mut::<w3d::records::MeshHeader3>());
    header.expect("the body has a header").sort_level.set(7);
    let vertices = root.find_mut("MESH[0]/VERTICES").expect("the body has vertices");
    vertices.values_mut::<record::Vec3>()[3] = record::Vec3::new(1.0, 2.0, 3.0);
    let name = root.find_mut("MESH[1]/TEXTURES/TEXTURE/TEXTURE_NAME").and_then(record::Node::bytes_mut);
    *name.expect("the lid has a texture") = b"other.tga\0".to_vec();
    let children = root.children_mut().expect("a file has children");
    children.swap(0, 1);
    children.retain(|child| !child.is(&table::BOX));
    children.push(w3d::build::bytes(&table::POINTS, [0; 12]));
    file.to_bytes().expect("the sample can be written")
}

/// The JSON of a GLB.
pub(crate) fn glb_json(glb: &[u8]) -> serde_json::Value {
    assert_eq!(&glb[..4], b"glTF");
    let length = u32::from_le_bytes(glb[12..16].try_into().expect("four bytes")) as usize;
    serde_json::from_slice(&glb[20..20 + length]).expect("a GLB has JSON")
}

/// The crate with a pivot count that is wrong, which can be repaired, and a triangle that is wrong, which cannot.
pub(crate) fn faulty() -> Vec<u8> {
    let bytes = miscounted();
    let mut file = W3d::parse(&bytes).expect("the sample can be read");
    let triangles = file.root.find_mut("MESH/TRIANGLES").expect("the body has triangles");
    triangles.values_mut::<w3d::records::Triangle>()[4].vindex[0].set(999);
    file.to_bytes().expect("the sample can be written")
}

/// The crate with a pivot count that is wrong.
pub(crate) fn miscounted() -> Vec<u8> {
    let bytes = w3d::sample::crate_box();
    let mut file = W3d::parse(&bytes).expect("the sample can be read");
    let header = file.root.find_mut("HIERARCHY/HIERARCHY_HEADER");
    let header = header.and_then(|node| node.value_mut::<w3d::records::HierarchyHeader>());
    header.expect("the skeleton has a header").num_pivots.set(1);
    file.to_bytes().expect("the sample can be written")
}
