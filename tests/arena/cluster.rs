//! `scripts/match_dask.py` with a scheduler and workers on this machine, one of which is killed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::dask::{self, Cluster};
use crate::support::{Arena, alquerque, finish};

#[test]
fn a_killed_worker_loses_no_game() {
    if !dask::is_there() {
        return;
    }
    let arena = Arena::new();
    let cluster = Cluster::start(Path::new(&arena.path("")));
    let (mut doomed, _other) = (cluster.worker(), cluster.worker());
    let address = cluster.address();
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
    doomed.kill();
    let run = finish(driver);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("of 24 games"), "{}", run.out);
    assert!(run.err.contains("6/6 shards"), "{}", run.err);
    let check = alquerque(&["pgn", "check", &arena.path("whole.jsonl")]);
    assert!(check.out.contains(": 24 games, "), "{}", check.out);
    assert_eq!(arena.leftovers(), [""; 0]);
}
