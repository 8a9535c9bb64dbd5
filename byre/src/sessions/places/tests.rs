use std::{fs, path::PathBuf};

use super::*;

/// A folder for one test, removed when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = env::temp_dir().join(format!("byre-{}", uuid::Uuid::new_v4().simple()));
        fs::create_dir_all(&path).unwrap();
        Self(fs::canonicalize(path).unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn only_a_uuid_is_a_session_id() {
    assert!(is_session_id("8f3a8990-6fca-4756-b667-0911376e0d4c"));
    assert!(is_session_id("ABCDEF00-1111-4111-8111-111111111111"));
    for text in [
        "",
        "8f3a8990-6fca-4756-b667-0911376e0d4",
        "8f3a8990-6fca-4756-b667-0911376e0d4cc",
        "8f3a8990-6fca-4756-b667-0911376e0d4g",
        "8f3a89906fca-4756-b667-0911376e0d4c-",
        "8f3a8990_6fca_4756_b667_0911376e0d4c",
        "../../../../../../../../../etc/passwd",
        "..\\..\\..\\..\\..\\..\\..\\..\\..\\..\\passwd1",
        "8f3a8990-6fca-4756-b667-0911376e0d4\u{e9}",
        "{f3a8990-6fca-4756-b667-0911376e0d4c}",
    ] {
        assert!(!is_session_id(text), "{text:?}");
    }
}

#[test]
fn the_key_of_a_project_is_what_the_cli_makes_of_its_path() {
    let check = |path: &str, want: &str| assert_eq!(key_of(path), want, "{path:?}");
    check("/srv/app", "-srv-app");
    check("/srv/dot.under_score-1", "-srv-dot-under-score-1");
    // As seen with CLI 2.1.332.
    check("/srv/emoji😀x", "-srv-emoji--x");
    check("/srv/e\u{301}x", "-srv-e-x");
    check("/srv/éx", "-srv--x");
    check("/srv/\u{1F1E9}\u{1F1EA}ｆ", "-srv------");
}

#[test]
fn a_long_key_is_cut_and_told_apart_by_a_hash() {
    // As seen with CLI 2.1.332.
    let (long, longer) = ("a".repeat(120), format!("é_ {}", "b".repeat(120)));
    let path =
        ["", "tmp", "byre-3374cd18ef0349a5bafeeb47b130d334", "work", &long, &longer].join("/");
    let key = key_of(&path);
    assert_eq!(key.len(), 207);
    assert!(key.ends_with("bbb-o6jjz6"), "{key}");
    assert_eq!(hash(""), "0");
    assert_eq!(key_of(&"x".repeat(200)), "x".repeat(200));
    assert_eq!(key_of(&"x".repeat(201)).len(), 200 + 1 + hash(&"x".repeat(201)).len());
}

#[test]
fn a_link_to_a_directory_is_the_directory() {
    let folder = Folder::new();
    fs::create_dir(folder.0.join("real")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.0.join("real"), folder.0.join("link")).unwrap();
    assert_eq!(project_key(&folder.0.join("link")), project_key(&folder.0.join("real")));
}

#[test]
fn a_long_path_is_found_under_another_hash_too() {
    let folder = Folder::new();
    let directory = PathBuf::from(format!("/{}", "x".repeat(300)));
    let start = format!("-{}", "x".repeat(199));
    for name in
        [format!("{start}-abc"), format!("{start}-def"), format!("{start}x"), "-x".to_owned()]
    {
        fs::create_dir(folder.0.join(name)).unwrap();
    }
    let names = |folders: Vec<PathBuf>| -> Vec<String> {
        let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        folders.into_iter().map(name).collect()
    };
    let found = names(project_dirs_of(&folder.0, &directory));
    assert_eq!(found, [format!("{start}-abc"), format!("{start}-def")]);
    let exact = project_key(&directory);
    fs::create_dir(folder.0.join(&exact)).unwrap();
    assert_eq!(names(project_dirs_of(&folder.0, &directory)), [exact]);
}

#[test]
fn the_work_trees_of_a_repository_know_each_other() {
    let folder = Folder::new();
    let (main, tree) = (folder.0.join("main"), folder.0.join("tree"));
    let of_tree = main.join(".git/worktrees/tree");
    fs::create_dir_all(&of_tree).unwrap();
    fs::create_dir_all(main.join("src")).unwrap();
    fs::create_dir(&tree).unwrap();
    // As `git worktree add` writes them.
    fs::write(tree.join(".git"), format!("gitdir: {}\n", of_tree.display())).unwrap();
    fs::write(of_tree.join("gitdir"), format!("{}\n", tree.join(".git").display())).unwrap();
    fs::write(of_tree.join("commondir"), "../..\n").unwrap();
    // One whose folder has gone.
    fs::create_dir(main.join(".git/worktrees/gone")).unwrap();
    fs::write(main.join(".git/worktrees/gone/gitdir"), "/no/such/place/.git\n").unwrap();
    fs::create_dir(main.join(".git/worktrees/damaged")).unwrap();

    let gone = PathBuf::from("/no/such/place");
    assert_eq!(worktrees(&main), [gone.clone(), tree.clone()]);
    assert_eq!(worktrees(&tree), [gone.clone(), main.clone()]);
    assert_eq!(worktrees(&main.join("src")), [gone, main.clone(), tree]);
    assert!(worktrees(&folder.0).is_empty() || !worktrees(&folder.0).contains(&main));
    assert!(worktrees(&folder.0.join("nowhere")).is_empty());
}
