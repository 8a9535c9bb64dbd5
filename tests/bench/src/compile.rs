//! What the compiler has to do for a program that uses byre.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::driver::Target;

/// Gives the figure of the bare program, and that of one with byre.
type Measure = fn(brief: bool) -> Result<(f64, f64), String>;

pub(crate) const ROWS: [(&str, &str, Target, Measure); 2] = [
    ("crates in the tree, default features", "", Target::Ours(45.0), crates),
    ("cold debug build of hello-world, CPU", "s", Target::AtMost(1.3), cold_builds),
];

/// A program with one tool.
const WITH_BYRE: &str = "\
/// Adds two integers.
#[byre::tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[tokio::main]
async fn main() -> byre::Result<()> {
    println!(\"{}\", byre::prompt(\"What is 2 + 3?\").await?.text());
    Ok(())
}
";

/// A program that has the same packages at hand, and uses them a little.
const WITHOUT_BYRE: &str = "\
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Add {
    a: i64,
    b: i64,
}

#[tokio::main]
async fn main() {
    let add: Add = serde_json::from_str(r#\"{\"a\":2,\"b\":3}\"#).unwrap();
    println!(\"{} {:?}\", add.a + add.b, schemars::schema_for!(Add));
}
";

/// What both programs ask of tokio.
const TOKIO: &str = "\"macros\", \"rt-multi-thread\"";

/// What byre asks of it, and a program that starts the CLI by hand.
const TOKIO_BY_HAND: &str =
    "\"io-util\", \"macros\", \"process\", \"rt-multi-thread\", \"sync\", \"time\"";

fn crates(_brief: bool) -> Result<(f64, f64), String> {
    let root = root();
    let tree =
        cargo(&root, &["tree", "--locked", "-p", "byre", "-e", "normal", "--prefix", "none"])?;
    // A package that was listed before comes again with a mark.
    let crates = tree.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?, words.next()?))
    });
    let count = crates.collect::<HashSet<_>>().len();
    let count = u32::try_from(count).map_err(|error| error.to_string())?;
    Ok((0.0, f64::from(count)))
}

/// Builds both programs, each in a folder of its own, with the versions of this workspace. A brief run only asks
/// Cargo what it would build.
fn cold_builds(brief: bool) -> Result<(f64, f64), String> {
    let byre = format!("byre = {{ path = \"{}\" }}", root().join("byre").display());
    let with = Package::new("with", TOKIO, &byre, WITH_BYRE)?;
    let without = Package::new("without", TOKIO_BY_HAND, &dependencies()?, WITHOUT_BYRE)?;
    if brief {
        let seconds = |package: &Package| cargo(&package.0, &["tree"]).map(|_| 0.0);
        return Ok((seconds(&without)?, seconds(&with)?));
    }
    // From the network, where something is missing, before the clock runs.
    cargo(&with.0, &["fetch"])?;
    cargo(&without.0, &["fetch"])?;
    Ok((without.build()?, with.build()?))
}

/// A package in a folder of its own, which goes away with it.
struct Package(PathBuf);

impl Package {
    fn new(name: &str, tokio: &str, dependencies: &str, main: &str) -> Result<Self, String> {
        let name = format!("byre-bench-{}-{name}", std::process::id());
        let package = Self(std::env::temp_dir().join(&name));
        let manifest = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
             tokio = {{ version = \"1\", features = [{tokio}] }}\n{dependencies}\n"
        );
        let write = || {
            fs::create_dir_all(package.0.join("src"))?;
            fs::write(package.0.join("Cargo.toml"), manifest)?;
            fs::write(package.0.join("src/main.rs"), main)?;
            fs::copy(root().join("Cargo.lock"), package.0.join("Cargo.lock"))
        };
        write().map_err(|error| error.to_string())?;
        Ok(package)
    }

    /// Builds it from nothing, and gives the seconds of processor time that it took.
    fn build(&self) -> Result<f64, String> {
        let before = children_seconds()?;
        cargo(&self.0, &["build", "--target-dir", "target"])?;
        Ok(children_seconds()? - before)
    }
}

impl Drop for Package {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What byre and its macros depend on, as lines of a manifest.
fn dependencies() -> Result<String, String> {
    let mut lines = Vec::new();
    for manifest in ["byre/Cargo.toml", "byre-macros/Cargo.toml"] {
        let text = fs::read_to_string(root().join(manifest)).map_err(|error| error.to_string())?;
        let mut is_wanted = false;
        for line in text.lines() {
            if line.starts_with('[') {
                is_wanted = line.ends_with("dependencies]") && !line.contains("dev-");
            } else if is_wanted && line.contains('=') && !line.contains("optional = true") {
                lines.push(line.to_owned());
            }
        }
    }
    // Known to the workspace, or here already.
    let is_known = |line: &String| !line.starts_with("byre-macros") && !line.starts_with("tokio");
    lines.retain(is_known);
    for line in &mut lines {
        *line = line.replace("workspace = true", "version = \"1\"").replace(".version", "");
    }
    lines.sort();
    lines.dedup_by(|a, b| a.split('=').next() == b.split('=').next());
    Ok(lines.join("\n"))
}

fn root() -> PathBuf {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    bench.ancestors().nth(2).unwrap_or(bench).to_owned()
}

#[expect(clippy::disallowed_methods, reason = "this is not byre")]
fn cargo(folder: &Path, args: &[&str]) -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(args)
        .current_dir(folder)
        .env_remove("CARGO_TARGET_DIR")
        .env("CARGO_INCREMENTAL", "0")
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "cargo {}: {}",
            args.join(" "),
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The processor time of the processes that this one has started and that have ended, in seconds.
fn children_seconds() -> Result<f64, String> {
    let stat = fs::read_to_string("/proc/self/stat").map_err(|error| error.to_string())?;
    // The name of the program, in parentheses, may hold anything. After it come the state and then numbers.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    // `cutime` and `cstime`, in ticks, of which Linux has 100 a second for programs.
    let ticks = fields.skip(13).take(2).filter_map(|field| field.parse::<u32>().ok());
    Ok(ticks.map(f64::from).sum::<f64>() / 100.0)
}
