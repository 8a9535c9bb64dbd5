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

/// The path after `#!`.
fn script_interpreter(head: &[u8]) -> Option<PathBuf> {
    let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    Some(path(words.next()?))
}

/// The loader that an ELF file asks for; `None` for one that needs none.
fn elf_loader(head: &[u8]) -> Option<PathBuf> {
    if !head.starts_with(b"\x7fELF") {
        return None;
    }
    let file = Elf { head, wide: *head.get(4)? == 2, little: *head.get(5)? == 1 };
    // Where each field is, in files of 64 and of 32 bits.
    let (table, size, count) = if file.wide { (32, 54, 56) } else { (28, 42, 44) };
    let table = file.word(table)?;
    let (size, count) = (file.number(size, 2)?, file.number(count, 2)?);
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

impl Elf<'_> {
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
