use super::*;

#[test]
fn a_script_names_its_interpreter() {
    let of = |text: &str| script_interpreter(text.as_bytes());
    assert_eq!(of("#!/bin/sh\nexit"), Some("/bin/sh".into()));
    assert_eq!(of("#! /usr/bin/env node\n"), Some("/usr/bin/env".into()));
    assert_eq!(of("#!/bin/sh"), Some("/bin/sh".into()));
    assert_eq!(of("#!\n"), None);
    assert_eq!(of("exit"), None);
}

/// A file with two program headers, of which the second names the loader.
fn elf(wide: bool, little: bool) -> Vec<u8> {
    let number = |value: u64, bytes: usize| {
        let bytes = &value.to_be_bytes()[8 - bytes..];
        if little { bytes.iter().rev().copied().collect::<Vec<_>>() } else { bytes.to_vec() }
    };
    let word = if wide { 8 } else { 4 };
    let mut file = vec![0; 300];
    let mut put = |at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"\x7fELF");
    put(4, &[if wide { 2 } else { 1 }, if little { 1 } else { 2 }]);
    let (table, size, count) = if wide { (32, 54, 56) } else { (28, 42, 44) };
    put(table, &number(64, word));
    put(size, &number(56, 2));
    put(count, &number(2, 2));
    put(64, &number(1, 4));
    put(64 + 56, &number(3, 4));
    let (start, length) = if wide { (8, 32) } else { (4, 16) };
    put(64 + 56 + start, &number(200, word));
    put(64 + 56 + length, &number(11, word));
    put(200, b"/lib/ld.so\0");
    file
}

#[test]
fn a_binary_names_its_loader() {
    for (wide, little) in [(true, true), (true, false), (false, true), (false, false)] {
        assert_eq!(elf_loader(&elf(wide, little)), Some("/lib/ld.so".into()), "{wide} {little}");
    }
}

#[test]
fn a_file_that_is_cut_or_odd_names_none_and_panics_not() {
    let whole = elf(true, true);
    for end in 0..211 {
        assert_eq!(elf_loader(&whole[..end]), None, "{end}");
    }
    for at in 4..whole.len() {
        let mut odd = whole.clone();
        odd[at] = 0xff;
        let _ = elf_loader(&odd);
        odd[at..].fill(0xff);
        let _ = elf_loader(&odd);
    }
    assert_eq!(elf_loader(b"MZ"), None);
}

#[cfg(target_os = "linux")]
#[test]
fn what_this_system_surely_starts_is_told_from_the_rest() {
    let file = |name: &str, bytes: &[u8]| {
        let path = std::env::temp_dir().join(format!("byre-head-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        let is = is_for_this_system(&path);
        std::fs::remove_file(&path).unwrap();
        is
    };
    let own = &std::fs::read("/proc/self/exe").unwrap()[..4096];
    assert!(file("own", own));
    assert!(file("script", b"#!/proc/self/exe\n"));
    let changed = |at: usize, byte: u8| {
        let mut own = own.to_vec();
        own[at] = byte;
        own
    };
    assert!(!file("another-processor", &changed(18, 0xee)));
    assert!(!file("an-object-file", &changed(16, 1)));
    assert!(!file("cut-short", &own[..200]));
    assert!(!file("text", b"echo hello\n"));
    assert!(!file("empty", b""));
    assert!(!file("no-interpreter", b"#!\necho hello\n"));
    assert!(!file("no-such-interpreter", b"#!/no/such/file\necho hello\n"));
    assert!(!file(
        "interpreter-of-text",
        concat!("#!", env!("CARGO_MANIFEST_DIR"), "/Cargo.toml\n").as_bytes()
    ));
    assert!(!is_for_this_system(Path::new("/no/such/file")));
}
