//! `scripts/match_dask.py` with a scheduler and workers on this machine, one of which is killed.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Arena, alquerque, finish};

/// A process that is killed at the end of the test, come what may.
struct Helper(Child);

impl Drop for Helper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn python(arguments: &[&str]) -> Helper {
    let mut command = Command::new("python3");
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Helper(command.spawn().expect("python runs"))
}

#[test]
fn a_killed_worker_loses_no_game() {
    let probe = Command::new("python3")
        .args(["-c", "import distributed"])
        .stderr(Stdio::null())
        .status();
    if !probe.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: python3 with the package distributed is not there");
        return;
    }
    let arena = Arena::new();
    let address_file = arena.path("scheduler.json");
    let _scheduler = python(&[
        "-m",
        "distributed.cli.dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        &address_file,
    ]);
    let start = Instant::now();
    while !Path::new(&address_file).exists() {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "the scheduler does not start"
        );
        sleep(Duration::from_millis(50));
    }
    // Without its nanny a worker is one process, and killing it is final.
    let worker = || {
        python(&[
            "-m",
            "distributed.cli.dask_worker",
            "--scheduler-file",
            &address_file,
            "--no-nanny",
            "--nthreads",
            "1",
            "--no-dashboard",
            "--local-directory",
            &arena.path("scratch"),
        ])
    };
    let (mut doomed, _other) = (worker(), worker());
    let text = std::fs::read_to_string(&address_file).expect("an address");
    let text: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let address = text["address"].as_str().expect("an address").to_owned();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/match_dask.py");
    let driver = Command::new("python3")
        .arg(script)
        .args([
            "--scheduler",
            &address,
            "--shards",
            "6",
            "--folder",
            &arena.path("parts"),
        ])
        .args([
            "--program",
            env!("CARGO_BIN_EXE_alquerque"),
            "--merged",
            &arena.path("whole.jsonl"),
            "--",
        ])
        .args([
            "--engine",
            &arena.engine("a", "pause", 2),
            "--engine",
            &arena.engine("b", "pause", 2),
        ])
        .args(["--games", "24", "--movetime", "1000"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("python runs");
    let start = Instant::now();
    let parts = || std::fs::read_dir(arena.path("parts")).map_or(0, Iterator::count);
    while parts() < 3 {
        assert!(start.elapsed() < Duration::from_secs(50), "no shard begins");
        sleep(Duration::from_millis(20));
    }
    doomed.0.kill().expect("the worker is killed");
    let run = finish(driver);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("of 24 games"), "{}", run.out);
    assert!(run.err.contains("6/6 shards"), "{}", run.err);
    let check = alquerque(&["pgn", "check", &arena.path("whole.jsonl")]);
    assert!(check.out.contains(": 24 games, "), "{}", check.out);
    assert_eq!(arena.leftovers(), [""; 0]);
}
