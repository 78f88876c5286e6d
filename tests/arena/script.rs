//! `scripts/match.sh` in a repository of its own.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Arena, Run, finish, mock_engine};

fn have(program: &str) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok();
    if !found {
        eprintln!("SKIPPED: {program} is not there");
    }
    found
}

fn sh(dir: &Path, script: &str) {
    let status = Command::new("bash")
        .args(["-ec", script])
        .current_dir(dir)
        .status();
    assert!(status.expect("bash runs").success(), "{script}");
}

/// Runs the script in the folder `dir`, which is the root of a repository.
fn script(dir: &Path, arguments: &[&str]) -> Run {
    let child = Command::new("bash")
        .arg("scripts/match.sh")
        .args(arguments)
        .current_dir(dir)
        .env("ALQUERQUE_RUNNER", env!("CARGO_BIN_EXE_alquerque"))
        .env("CARGO_TARGET_DIR", dir.join("target"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    finish(child.expect("bash runs"))
}

/// An engine that gives this answer to `go`.
fn engine_source(answer: &str) -> String {
    format!(
        "fn main() {{ for line in std::io::stdin().lines().map_while(Result::ok) {{\n\
         match line.split(' ').next() {{ Some(\"uci\") => println!(\"uciok\"), Some(\"isready\") => \
         println!(\"readyok\"), Some(\"go\") => {answer}, Some(\"quit\") => return, _ => {{}} }} }} }}\n"
    )
}

#[test]
fn revisions_are_built_once_and_matched() {
    if !(have("git") && have("bash")) {
        return;
    }
    let arena = Arena::new();
    let root = arena.path("repository");
    let root = Path::new(&root);
    std::fs::create_dir_all(root.join("src")).expect("a folder");
    std::fs::create_dir_all(root.join("scripts")).expect("a folder");
    let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/match.sh");
    std::fs::copy(original, root.join("scripts/match.sh")).expect("a copy");
    let manifest =
        "[package]\nname = \"alquerque\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    std::fs::write(root.join("Cargo.toml"), manifest).expect("a file");
    let write = |answer: &str| {
        std::fs::write(root.join("src/main.rs"), engine_source(answer)).expect("a file");
    };
    let commit = "git add -A; git -c user.name=x -c user.email=x@y commit -qm x";
    write("println!(\"bestmove nonsense\")");
    sh(
        root,
        &format!("git init -q; echo target > .gitignore; {commit}; git tag first"),
    );
    write("println!(\"bestmove a1e5\")");
    sh(root, commit);
    write("std::process::exit(7)");

    let run = script(root, &["first", "HEAD", "--nodes", "1", "--games", "2"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.err.contains("Building first") && run.err.contains("Building HEAD"),
        "{}",
        run.err
    );
    assert!(
        run.out
            .starts_with("HEAD against first: 1 won, 0 drawn, 1 lost"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("HEAD: 1 lost by illegal-move"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("first: 1 lost by bad-answer"),
        "{}",
        run.out
    );

    let run = script(root, &["first", "--depth", "1", "--games", "2"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        !run.err.contains("Building"),
        "kept by its commit: {}",
        run.err
    );
    assert!(
        run.out.contains("working-tree: 1 lost by crash"),
        "{}",
        run.out
    );

    let mock = mock_engine().display().to_string();
    let run = script(
        root,
        &[
            "HEAD", &mock, "--nodes", "1", "--games", "2", "--pgn", "g.pgn",
        ],
    );
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.out.contains("HEAD: 2 lost by illegal-move")
            || run.out.contains("mock_engine against HEAD")
    );
    assert!(root.join("g.pgn").exists());
    std::fs::write(root.join("src/main.rs"), "no program\n").expect("a file");
    sh(root, &format!("{commit}; git tag broken"));
    let run = script(root, &["broken", "first", "--nodes", "1", "--games", "2"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{}", run.err);
    assert!(run.err.contains("does not build"), "{}", run.err);
    let worktrees = Command::new("git")
        .args(["worktree", "list"])
        .current_dir(root)
        .output();
    let worktrees = worktrees.expect("git runs").stdout;
    assert_eq!(
        String::from_utf8_lossy(&worktrees).lines().count(),
        1,
        "none is left"
    );
}

#[test]
fn the_script_explains_itself_and_refuses_what_it_does_not_know() {
    if !(have("git") && have("bash")) {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let help = script_here(root, &[]);
    assert_eq!(help.code, Some(0));
    assert!(help.out.starts_with("Usage: scripts/match.sh BASE [TEST]"));
    let wrong = script_here(root, &["no-such-revision", "--games", "2"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.err);
    assert!(
        wrong
            .err
            .contains("no-such-revision is neither a git revision"),
        "{}",
        wrong.err
    );
}

/// As [`script`], with the cache elsewhere.
fn script_here(root: &Path, arguments: &[&str]) -> Run {
    let cache = tempfile::tempdir().expect("a folder");
    let child = Command::new("bash")
        .arg("scripts/match.sh")
        .args(arguments)
        .current_dir(root)
        .env("CARGO_TARGET_DIR", cache.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    finish(child.expect("bash runs"))
}
