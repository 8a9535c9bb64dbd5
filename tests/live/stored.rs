use crate::harness::cli_path;
use byre::{
    Session, SessionBuilder,
    testing::{MessagesApi, RealCli, Reply, Script},
};
use serde_json::json;

fn builder(cli: &RealCli) -> SessionBuilder {
    let mut b = Session::builder()
        .tools(byre::tools![add])
        .hooks([])
        .cli_path(cli.path())
        .current_dir(cli.work_dir())
        .bypass_permissions();
    for n in cli.removed_envs() {
        b = b.env_remove(n);
    }
    for (n, v) in cli.envs() {
        b = b.env(n, v);
    }
    b
}
/// Adds.
#[byre::tool(register = false, read_only)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

async fn turn(b: SessionBuilder, p: &str) -> Result<(String, String), byre::Error> {
    let mut s = b.spawn().await?;
    let o = s.prompt(p).await?;
    let r = (o.session_id().to_owned(), o.text().to_owned());
    s.close().await?;
    Ok(r)
}
fn append(p: &std::path::Path, t: &str) {
    use std::io::Write;
    std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(p)
        .unwrap()
        .write_all(t.as_bytes())
        .unwrap();
}

#[tokio::test]
async fn probe() {
    let mut script = Script::new();
    for n in 0..40 {
        script = script.say(&format!("answer {n}"));
    }
    let api = MessagesApi::start(script).await.unwrap();
    let cli = RealCli::new(cli_path(), &api).unwrap();
    let config = std::path::PathBuf::from(
        cli.envs().into_iter().find(|(n, _)| n == "CLAUDE_CONFIG_DIR").unwrap().1,
    );
    let projects = config.join("projects");
    for name in ["emoji😀x", "e\u{301}x", "dot.under_score", "\u{1F1E9}\u{1F1EA}ｆ"] {
        let d = cli.work_dir().join(name);
        std::fs::create_dir_all(&d).unwrap();
        let (id, _) = turn(builder(&cli).current_dir(&d), "hi").await.unwrap();
        for e in std::fs::read_dir(&projects).unwrap() {
            let e = e.unwrap();
            if e.path().join(format!("{id}.jsonl")).exists() {
                println!("KEY {name:?} {:?}", e.file_name());
            }
        }
    }
    std::os::unix::fs::symlink(cli.work_dir().join("dot.under_score"), cli.work_dir().join("link"))
        .unwrap();
    let (id, _) = turn(builder(&cli).current_dir(cli.work_dir().join("link")), "hi").await.unwrap();
    for e in std::fs::read_dir(&projects).unwrap() {
        let e = e.unwrap();
        if e.path().join(format!("{id}.jsonl")).exists() {
            println!("KEY link {:?}", e.file_name());
        }
    }
    let (id, _) =
        turn(builder(&cli).env("CLAUDE_CODE_PROJECT_DIR_NAME", "my name.x"), "hi").await.unwrap();
    for e in std::fs::read_dir(&projects).unwrap() {
        let e = e.unwrap();
        if e.path().join(format!("{id}.jsonl")).exists() {
            println!("KEY env {:?}", e.file_name());
        }
    }

    // rename
    let mut s = builder(&cli).spawn().await.unwrap();
    s.prompt("first").await.unwrap();
    s.handle().control("rename_session", json!({"title":"Sidecar"})).await.unwrap();
    s.prompt("second").await.unwrap();
    let id = s.handle().session_id().unwrap();
    s.close().await.unwrap();
    let dir = std::fs::read_dir(&projects)
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.join(format!("{id}.jsonl")).exists())
        .unwrap();
    let file = dir.join(format!("{id}.jsonl"));
    println!("SIDECAR {:?}", std::fs::read_to_string(dir.join(&id).join("custom-title.json")));
    append(
        &file,
        &format!("{}\n", json!({"type":"custom-title","customTitle":"Appended","sessionId":id})),
    );
    println!(
        "by Sidecar {:?}",
        turn(builder(&cli).resume("Sidecar"), "x").await.map_err(|e| e.to_string())
    );
    println!(
        "by Appended {:?}",
        turn(builder(&cli).resume("Appended"), "x").await.map_err(|e| e.to_string())
    );
    println!(
        "by Appended again {:?}",
        turn(builder(&cli).resume("appended"), "x").await.map_err(|e| e.to_string())
    );
    println!("SIDECAR {:?}", std::fs::read_to_string(dir.join(&id).join("custom-title.json")));
    // torn
    append(&file, "{\"type\":\"user\",\"torn");
    println!(
        "torn {:?}",
        turn(builder(&cli).resume(&id), "after torn").await.map_err(|e| e.to_string())
    );
    let text = std::fs::read_to_string(&file).unwrap();
    let at = text.find("\"torn").unwrap();
    println!("TORN {:?}", &text[at..at + 150]);
    // zero, meta only, id in use
    for (n, content) in [("11111111-1111-4111-8111-111111111111", String::new()), ("22222222-2222-4222-8222-222222222222", "{\"type\":\"custom-title\",\"customTitle\":\"Z\",\"sessionId\":\"22222222-2222-4222-8222-222222222222\"}\n".to_owned()), ("33333333-3333-4333-8333-333333333333", "not json\n".to_owned())] {
        std::fs::write(dir.join(format!("{n}.jsonl")), content).unwrap();
        println!("{n} resume {:?}", turn(builder(&cli).resume(n), "x").await.map_err(|e| e.to_string()));
        println!("{n} new {:?}", turn(builder(&cli).extra_arg("session-id", Some(n)), "x").await.map_err(|e| e.to_string()));
    }
    println!(
        "in use {:?}",
        turn(builder(&cli).extra_arg("session-id", Some(&id)), "x")
            .await
            .map_err(|e| e.to_string())
    );
    let up = "ABCDEF00-1111-4111-8111-111111111111";
    println!(
        "upper {:?}",
        turn(builder(&cli).extra_arg("session-id", Some(up)), "x").await.map_err(|e| e.to_string())
    );
    println!(
        "upper as lower {:?}",
        turn(builder(&cli).resume(up.to_lowercase()), "x").await.map_err(|e| e.to_string())
    );
    // resume from another cwd; where does the file go
    let other = cli.work_dir().join("other");
    std::fs::create_dir_all(&other).unwrap();
    println!(
        "other cwd {:?}",
        turn(builder(&cli).resume(&id).current_dir(&other), "from other")
            .await
            .map_err(|e| e.to_string())
    );
    for e in std::fs::read_dir(&projects).unwrap() {
        let e = e.unwrap();
        if e.path().join(format!("{id}.jsonl")).exists() {
            println!("KEY other {:?}", e.file_name());
        }
    }
    // concurrency of tag
    let root = config.parent().unwrap().to_path_buf();
    std::process::Command::new("cp")
        .args(["-a", root.to_str().unwrap(), "/tmp/probe2"])
        .status()
        .unwrap();
    println!("ID {id} {}", dir.display());
}
