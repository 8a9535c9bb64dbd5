use super::*;
use crate::testing::Script;

#[tokio::test]
async fn the_folders_live_as_long_as_the_value() {
    let api = MessagesApi::start(Script::new()).await.unwrap();
    let cli = RealCli::new("/opt/claude", &api).unwrap();
    let folder = cli.work_dir();
    assert!(folder.is_dir());
    let envs = cli.envs();
    assert!(envs.contains(&("ANTHROPIC_BASE_URL".to_owned(), api.url())));
    for name in ["HOME", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_TMPDIR"] {
        let (_, folder) = envs.iter().find(|(set, _)| set == name).unwrap();
        assert!(Path::new(folder).is_dir(), "{name} is {folder}");
    }
    drop(cli);
    assert!(!folder.exists());
}

#[tokio::test]
async fn what_is_set_is_not_removed() {
    let api = MessagesApi::start(Script::new()).await.unwrap();
    let cli = RealCli::new("/opt/claude", &api).unwrap();
    let removed = cli.removed_envs();
    assert!(cli.envs().iter().all(|(name, _)| !removed.contains(name)));
}
