//! Starts the real program and mock engines, with a time-out on everything.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(60);

/// The mock engine, built if `cargo test` was asked for this test alone.
pub fn mock_engine() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let test = std::env::current_exe().expect("the test has a path");
        let profile = test
            .parent()
            .and_then(Path::parent)
            .expect("target/PROFILE/deps");
        let mut build = Command::new(std::env::var("CARGO").unwrap_or("cargo".to_owned()));
        build.args(["build", "--quiet", "--example", "mock_engine"]);
        if profile.ends_with("release") {
            build.arg("--release");
        }
        build.current_dir(env!("CARGO_MANIFEST_DIR"));
        assert!(build.status().expect("cargo runs").success());
        let path = profile
            .join("examples")
            .join(format!("mock_engine{}", std::env::consts::EXE_SUFFIX));
        assert!(path.exists(), "{} is missing", path.display());
        path
    })
}

/// A folder for a match; its path marks every process of the match.
pub struct Arena {
    dir: TempDir,
}

/// How a run of the program ended.
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Arena {
    pub fn new() -> Arena {
        let dir = tempfile::Builder::new().prefix("arena").tempdir();
        Arena {
            dir: dir.expect("a folder"),
        }
    }

    pub fn path(&self, name: &str) -> String {
        self.dir.path().join(name).display().to_string()
    }

    /// The text of a mock engine for `--engine`.
    pub fn engine(&self, name: &str, mode: &str, number: u64) -> String {
        let mock = mock_engine().display();
        let tag = self.path("");
        format!("name={name},cmd={mock},arg={mode},arg={number},arg={tag}")
    }

    /// The real engine.
    pub fn real_engine(&self, name: &str, more: &str) -> String {
        format!("name={name},cmd={}{more}", env!("CARGO_BIN_EXE_alquerque"))
    }

    /// Starts `alquerque match` between these engines.
    pub fn start(&self, engines: &[String], arguments: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alquerque"));
        command.arg("match").current_dir(self.dir.path());
        engines.iter().for_each(|engine| {
            command.args(["--engine", engine]);
        });
        command.args(arguments);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    /// Plays a match to its end.
    pub fn play(&self, engines: &[String], arguments: &[&str]) -> Run {
        finish(self.start(engines, arguments))
    }

    /// The games of a journal.
    pub fn games(&self, file: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path(file)).expect("a journal");
        let lines = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"));
        lines
            .filter(|line: &Value| line["type"] == "game")
            .collect()
    }

    /// Waits until no process of this match is left; says which there are.
    pub fn leftovers(&self) -> Vec<String> {
        let start = Instant::now();
        loop {
            let left = processes_with(&self.path(""));
            if left.is_empty() || start.elapsed() > Duration::from_secs(3) {
                return left;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Runs another command of the program.
pub fn alquerque(arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alquerque"));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    finish(command.spawn().expect("the program starts"))
}

/// Waits for the end of a program, which must come.
pub fn finish(mut child: Child) -> Run {
    let id = child.id();
    let (sender, receiver) = std::sync::mpsc::channel();
    let watcher = thread::spawn(move || {
        if receiver.recv_timeout(PATIENCE).is_err() {
            kill(id);
        }
    });
    // `wait_with_output` reads both pipes so that neither fills.
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let read = |pipe: Option<Box<dyn std::io::Read + Send>>| {
        thread::spawn(move || {
            let mut text = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut text);
            }
            String::from_utf8_lossy(&text).into_owned()
        })
    };
    let out = read(out.map(|pipe| Box::new(pipe) as Box<_>));
    let err = read(err.map(|pipe| Box::new(pipe) as Box<_>));
    let status = child.wait().expect("the program can be waited for");
    let _ = sender.send(());
    watcher.join().expect("the watcher ends");
    Run {
        code: status.code(),
        out: out.join().expect("output"),
        err: err.join().expect("errors"),
    }
}

/// As `kill -9`.
pub fn kill(id: u32) {
    signal(id, "KILL");
}

/// Sends a signal by its name.
pub fn signal(id: u32, name: &str) {
    let killed: Output = Command::new("kill")
        .args([format!("-{name}"), id.to_string()])
        .output()
        .expect("kill runs");
    assert!(
        killed.status.success(),
        "kill: {}",
        String::from_utf8_lossy(&killed.stderr)
    );
}

/// Command lines of processes that hold this text.
pub fn processes_with(text: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        eprintln!("SKIPPED: without /proc it is not known whether processes are left");
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let pid = entry.file_name();
        let is_process = pid.to_string_lossy().bytes().all(|b| b.is_ascii_digit());
        let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        if is_process && command.contains(text) && command.contains("mock_engine") {
            found.push(format!("{} {command}", pid.to_string_lossy()));
        }
    }
    // The runner's own command line names the engines too.
    found.retain(|command| !command.contains(" match "));
    found
}
