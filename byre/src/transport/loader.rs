//! What an executable needs to be started: the system says only that something does not exist.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

/// How much of a file is read: the names stand at its beginning.
const HEAD: u64 = 64 * 1024;

/// The program header that names the loader.
///
/// Source: System V ABI, program header, `PT_INTERP`.
const INTERPRETER: u32 = 3;

/// What starts an executable and is not on this machine.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// The first line of a script names it.
    Interpreter(PathBuf),
    /// A binary names it: that of another libc, mostly.
    Loader(PathBuf),
}

/// Says what keeps `program` from being started, where its file tells.
pub(super) fn missing(program: &Path) -> Option<Missing> {
    let mut head = Vec::new();
    File::open(program).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    let missing = match script_interpreter(&head) {
        Some(path) => Missing::Interpreter(path),
        None => Missing::Loader(elf_loader(&head)?),
    };
    let (Missing::Interpreter(path) | Missing::Loader(path)) = &missing;
    (!path.exists()).then_some(missing)
}

/// Says whether this system surely takes `program` for one: a binary for the processor of this program, or a script
/// whose interpreter is one.
#[cfg(target_os = "linux")]
pub(super) fn is_for_this_system(program: &Path) -> bool {
    let head = |path: &Path| {
        let mut head = Vec::new();
        File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
        Some(head)
    };
    let is_binary = |binary: &[u8]| {
        let own = head(Path::new("/proc/self/exe"));
        own.is_some_and(|own| elf_kind(binary).is_some_and(|kind| elf_kind(&own) == Some(kind)))
    };
    match head(program) {
        Some(script) if script.starts_with(b"#!") => script_interpreter(&script)
            .and_then(|path| head(&path))
            .is_some_and(|it| is_binary(&it)),
        Some(binary) => is_binary(&binary),
        None => false,
    }
}

/// What processor an ELF file is for: class, byte order and machine. `None` for one that is no program, or that is cut
/// short before it says what to load.
#[cfg(target_os = "linux")]
fn elf_kind(head: &[u8]) -> Option<(bool, bool, u64)> {
    let file = Elf::of(head)?;
    let (start, size, count) = file.table()?;
    let end = start.checked_add(size.checked_mul(count)?)?;
    let is_program = matches!(file.number(16, 2)?, 2 | 3); // ET_EXEC, ET_DYN
    let is_whole = count > 0 && usize::try_from(end).ok()? <= head.len();
    (is_program && is_whole).then_some((file.wide, file.little, file.number(18, 2)?))
}

/// The path after `#!`.
fn script_interpreter(head: &[u8]) -> Option<PathBuf> {
    let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    Some(path(words.next()?))
}

/// The loader that an ELF file asks for; `None` for one that needs none.
fn elf_loader(head: &[u8]) -> Option<PathBuf> {
    let file = Elf::of(head)?;
    let (table, size, count) = file.table()?;
    for n in 0..count {
        let header = table.checked_add(n.checked_mul(size)?)?;
        if file.number(header, 4)? != u64::from(INTERPRETER) {
            continue;
        }
        let (start, length) = if file.wide { (8, 32) } else { (4, 16) };
        let start = file.word(header.checked_add(start)?)?;
        let end = start.checked_add(file.word(header.checked_add(length)?)?)?;
        let name = head.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)?;
        return Some(path(name.split(|byte| *byte == 0).next()?));
    }
    None
}

struct Elf<'a> {
    head: &'a [u8],
    wide: bool,
    little: bool,
}

impl<'a> Elf<'a> {
    fn of(head: &'a [u8]) -> Option<Self> {
        let is_elf = head.starts_with(b"\x7fELF");
        is_elf.then_some(Self { head, wide: *head.get(4)? == 2, little: *head.get(5)? == 1 })
    }

    /// Where its program headers begin, the size of each, and how many they are.
    fn table(&self) -> Option<(u64, u64, u64)> {
        // Where each field is, in files of 64 and of 32 bits.
        let (start, size, count) = if self.wide { (32, 54, 56) } else { (28, 42, 44) };
        Some((self.word(start)?, self.number(size, 2)?, self.number(count, 2)?))
    }

    /// A number as wide as an address.
    fn word(&self, at: u64) -> Option<u64> {
        self.number(at, if self.wide { 8 } else { 4 })
    }

    fn number(&self, at: u64, bytes: usize) -> Option<u64> {
        let at = usize::try_from(at).ok()?;
        let bytes = self.head.get(at..at.checked_add(bytes)?)?;
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Some(if self.little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) })
    }
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> PathBuf {
    let text: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(bytes);
    PathBuf::from(text)
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests;
