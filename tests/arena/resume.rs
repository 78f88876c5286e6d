//! A match that is stopped in any way goes on with the same command: no game is lost or played twice,
//! no process is left.

use std::io::Write;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Arena, Run, alquerque, finish, kill, mock_engine, processes_with, signal};

const MATCH: &[&str] = &[
    "--games",
    "16",
    "--movetime",
    "1000",
    "--concurrency",
    "2",
    "--pgn",
    "g.pgn",
    "--jsonl",
    "g.jsonl",
];

/// Engines that take a little time, and do not leave by themselves.
fn engines(arena: &Arena) -> [String; 2] {
    [
        arena.engine("a", "stubborn", 2),
        arena.engine("b", "pause", 3),
    ]
}

/// Starts the match and waits until some more games are recorded.
fn start_some(arena: &Arena) -> Child {
    let path = arena.path("g.jsonl");
    let recorded = || std::fs::read_to_string(&path).map_or(1, |text| text.lines().count());
    let before = recorded();
    let child = arena.start(&engines(arena), MATCH);
    let start = Instant::now();
    while recorded() < before + 3 {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "no game is recorded"
        );
        sleep(Duration::from_millis(5));
    }
    child
}

/// The same command again: all games are there, each once, and both records agree.
fn goes_on(arena: &Arena) -> Run {
    let run = arena.play(&engines(arena), MATCH);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let games = arena.games("g.jsonl");
    let mut numbers: Vec<u64> = games
        .iter()
        .filter_map(|game| game["game"].as_u64())
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=16).collect::<Vec<u64>>());
    assert!(run.out.contains("of 16 games"), "{}", run.out);
    let check = alquerque(&["pgn", "check", &arena.path("g.pgn"), &arena.path("g.jsonl")]);
    assert_eq!(check.code, Some(0), "{}", check.out);
    assert_eq!(check.out.matches(": 16 games").count(), 2, "{}", check.out);
    assert_eq!(arena.leftovers(), [""; 0]);
    run
}

#[test]
fn after_kill_9_no_process_is_left_and_the_match_goes_on() {
    let arena = Arena::new();
    for _ in 0..2 {
        let mut child = start_some(&arena);
        assert!(
            !processes_with(&arena.path("")).is_empty(),
            "engines are running"
        );
        kill(child.id());
        child.wait().expect("the runner is gone");
        assert_eq!(arena.leftovers(), [""; 0]);
    }
    goes_on(&arena);
}

#[test]
fn ctrl_c_stops_within_a_second_and_prints_the_standing() {
    let arena = Arena::new();
    let child = start_some(&arena);
    let start = Instant::now();
    signal(child.id(), "INT");
    let run = finish(child);
    assert!(
        start.elapsed() < Duration::from_secs(1),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(run.code, Some(130));
    assert!(run.out.starts_with("a against b: "), "{}", run.out);
    assert!(run.out.contains("--resume g.jsonl"), "{}", run.out);
    assert_eq!(arena.leftovers(), [""; 0]);
    goes_on(&arena);
    let before = std::fs::read(arena.path("g.jsonl")).expect("a journal");
    let again = goes_on(&arena);
    assert_eq!(
        std::fs::read(arena.path("g.jsonl")).expect("a journal"),
        before
    );
    assert!(again.out.contains("of 16 games"));
}

#[test]
fn the_end_of_the_input_stops_a_match_if_asked() {
    let arena = Arena::new();
    let run = arena.play(&engines(&arena), &[MATCH, &["--stop-at-eof"]].concat());
    assert_eq!(run.code, Some(130), "{}", run.err);
    assert!(arena.games("g.jsonl").len() < 16);
    goes_on(&arena);
}

#[test]
fn a_line_that_was_cut_off_is_played_again() {
    let arena = Arena::new();
    let child = start_some(&arena);
    signal(child.id(), "TERM");
    assert_eq!(finish(child).code, Some(130), "as Ctrl-C");
    let path = arena.path("g.jsonl");
    let text = std::fs::read_to_string(&path).expect("a journal");
    std::fs::write(&path, &text[..text.len() - 10]).expect("a journal");
    goes_on(&arena);
}

#[test]
fn resume_needs_nothing_but_the_journal() {
    let arena = Arena::new();
    let child = start_some(&arena);
    signal(child.id(), "INT");
    finish(child);
    let run = arena.play(&[], &["--resume", "g.jsonl", "--pgn", "g.pgn"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    goes_on(&arena);
}

#[test]
fn a_changed_program_is_noticed() {
    let arena = Arena::new();
    let copy = arena.path("mock_engine_copy");
    std::fs::copy(mock_engine(), &copy).expect("a copy");
    let engines = [
        format!("name=a,cmd={copy},arg=random"),
        arena.engine("b", "random", 3),
    ];
    let arguments = ["--nodes", "1", "--jsonl", "g.jsonl", "--games", "2"];
    assert_eq!(arena.play(&engines, &arguments).code, Some(0));
    let mut program = std::fs::read(&copy).expect("a program");
    program.push(0);
    std::fs::write(&copy, program).expect("a program");
    let run = arena.play(&engines, &arguments);
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.contains("the program of engine a has changed"),
        "{}",
        run.err
    );
    let run = arena.play(&[], &["--resume", "g.jsonl"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.contains("the program of engine a has changed"),
        "{}",
        run.err
    );
}

#[test]
fn another_match_is_not_mixed_in() {
    let arena = Arena::new();
    let engines = [
        arena.engine("a", "random", 2),
        arena.engine("b", "random", 3),
    ];
    let play = |engines: &[String; 2], more: &[&str]| {
        let mut arguments = vec!["--nodes", "1", "--jsonl", "g.jsonl", "--games", "4"];
        arguments.extend(more);
        arena.play(engines, &arguments)
    };
    assert_eq!(play(&engines, &[]).code, Some(0));
    for (engines, more, why) in [
        (engines.clone(), &["--seed", "2"][..], "'seed'"),
        (engines.clone(), &["--openings", "balanced"], "'openings'"),
        (
            [arena.engine("a", "random", 4), engines[1].clone()],
            &[],
            "engine a is described otherwise",
        ),
    ] {
        let run = play(&engines, more);
        assert_eq!(run.code, Some(1), "{why}");
        assert!(
            run.err.contains("holds another match") && run.err.contains(why),
            "{}",
            run.err
        );
        assert_eq!(arena.games("g.jsonl").len(), 4);
    }
    std::fs::write(arena.path("notes.txt"), "my notes\n").expect("a file");
    let notes = arena.play(
        &engines,
        &["--nodes", "1", "--jsonl", "notes.txt", "--games", "4"],
    );
    assert_eq!(notes.code, Some(1));
    assert!(notes.err.contains("is no journal"), "{}", notes.err);
    assert_eq!(
        std::fs::read(arena.path("notes.txt")).expect("a file"),
        b"my notes\n"
    );
    assert_eq!(play(&engines, &["--seed", "2", "--fresh"]).code, Some(0));
    assert_eq!(arena.games("g.jsonl").len(), 4);
}

/// More games than before are the same match.
#[test]
fn a_match_can_be_made_longer() {
    let arena = Arena::new();
    let engines = [
        arena.engine("a", "random", 2),
        arena.engine("b", "random", 3),
    ];
    for games in ["4", "10"] {
        let run = arena.play(
            &engines,
            &["--nodes", "1", "--jsonl", "g.jsonl", "--games", games],
        );
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(arena.games("g.jsonl").len().to_string(), games);
    }
}

#[test]
fn two_runners_do_not_share_a_journal() {
    let arena = Arena::new();
    let first = start_some(&arena);
    let second = arena.play(&engines(&arena), MATCH);
    assert_eq!(second.code, Some(1));
    assert!(second.err.contains("g.jsonl is in use"), "{}", second.err);
    signal(first.id(), "INT");
    finish(first);
    goes_on(&arena);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_match_and_keeps_what_is_recorded() {
    let arena = Arena::new();
    let engines = [
        arena.engine("a", "random", 2),
        arena.engine("b", "random", 3),
    ];
    let arguments = [
        "--nodes",
        "1",
        "--games",
        "50",
        "--jsonl",
        "g.jsonl",
        "--pgn",
        "/dev/full",
    ];
    let run = arena.play(&engines, &arguments);
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.contains("/dev/full") && run.err.contains("No space left"),
        "{}",
        run.err
    );
    assert!(run.err.contains("in g.jsonl are safe"), "{}", run.err);
    assert_eq!(
        arena.games("g.jsonl").len(),
        1,
        "the game whose record failed is in the journal"
    );
    assert_eq!(arena.leftovers(), [""; 0]);
    let run = arena.play(
        &engines,
        &["--nodes", "1", "--games", "50", "--jsonl", "/dev/full"],
    );
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("/dev/full"), "{}", run.err);
    // A journal on a file that may not grow: the game that does not fit leaves no trace.
    let full = arena.path("small.jsonl");
    let limited = format!(
        "trap '' XFSZ; ulimit -f 8; exec '{}' match --engine '{}' --engine '{}' --nodes 1 --games 50 --jsonl '{full}'",
        env!("CARGO_BIN_EXE_alquerque"),
        engines[0],
        engines[1]
    );
    let shell = std::process::Command::new("bash")
        .args(["-c", &limited])
        .output()
        .expect("bash runs");
    let errors = String::from_utf8_lossy(&shell.stderr);
    assert_eq!(shell.status.code(), Some(1), "{errors}");
    assert!(errors.contains("small.jsonl"), "{errors}");
    let text = std::fs::read_to_string(&full).expect("a journal");
    assert!(
        text.ends_with('\n') && text.lines().count() >= 2,
        "whole lines only"
    );
    let run = arena.play(
        &engines,
        &["--nodes", "1", "--games", "50", "--jsonl", "small.jsonl"],
    );
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(arena.games("small.jsonl").len(), 50);
}

#[test]
fn a_file_that_belongs_to_something_else_is_kept() {
    let arena = Arena::new();
    let mut file = std::fs::File::create(arena.path("g.pgn")).expect("a file");
    file.write_all(b"[Event \"mine\"]\n\n*\n").expect("a file");
    let engines = [
        arena.engine("a", "random", 2),
        arena.engine("b", "random", 3),
    ];
    let run = arena.play(
        &engines,
        &["--nodes", "1", "--games", "2", "--pgn", "g.pgn"],
    );
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("g.pgn exists already"), "{}", run.err);
    let text = std::fs::read_to_string(arena.path("g.pgn")).expect("a file");
    assert!(text.contains("mine"));
}
