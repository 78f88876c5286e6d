//! Whatever an engine does, it loses that game for a reason that is recorded, the match goes on, and
//! no process is left.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Arena, Run, alquerque};

/// Four games of a failing engine against a good one.
fn four_games(mode: &str, number: u64, limits: &[&str]) -> (Arena, Run, Vec<Value>) {
    let arena = Arena::new();
    let engines = [
        arena.engine("bad", mode, number),
        arena.engine("good", "random", 5),
    ];
    let mut arguments = vec![
        "--games",
        "4",
        "--jsonl",
        "g.jsonl",
        "--pgn",
        "g.pgn",
        "--concurrency",
        "2",
        // Level positions: the first legal moves of the good engine must not end the game at once.
        "--openings",
        "balanced",
    ];
    arguments.extend(limits);
    let run = arena.play(&engines, &arguments);
    let games = arena.games("g.jsonl");
    assert_eq!(arena.leftovers(), [""; 0], "{mode}");
    let check = alquerque(&["pgn", "check", &arena.path("g.pgn")]);
    assert_eq!(check.code, Some(0), "{mode}: {}{}", check.out, check.err);
    (arena, run, games)
}

/// The failing engine loses all four games for this reason.
fn loses(mode: &str, number: u64, limits: &[&str], reason: &str) -> Run {
    let (_arena, run, games) = four_games(mode, number, limits);
    assert_eq!(run.code, Some(0), "{mode}: {}{}", run.out, run.err);
    assert_eq!(games.len(), 4, "{mode}: the match goes on");
    for game in &games {
        assert_eq!(game["reason"], reason, "{mode}: {game}");
        let result = if game["white"] == "bad" { "0-1" } else { "1-0" };
        assert_eq!(game["result"], result, "{mode}");
        assert!(game["detail"].is_string(), "{mode}: the record says more");
    }
    assert!(
        run.out.contains(&format!("bad: 4 lost by {reason}")),
        "{mode}: {}",
        run.out
    );
    run
}

const NODES: &[&str] = &["--nodes", "100"];
const HASTY: &[&str] = &["--nodes", "100", "--patience", "1"];
const DEEP: &[&str] = &["--depth", "3", "--patience", "1"];
const CLOCK: &[&str] = &["--tc", "0.4+0.01"];
const MOVETIME: &[&str] = &["--movetime", "100"];

#[test]
fn two_good_engines_play_whole_games() {
    let (_arena, run, games) = four_games("random", 3, CLOCK);
    assert_eq!(run.code, Some(0));
    let normal = ["no-stones", "no-move", "repetition", "no-capture"];
    for game in &games {
        assert!(
            normal.iter().any(|reason| game["reason"] == *reason),
            "{game}"
        );
    }
    assert!(!run.out.contains("lost by"), "{}", run.out);
}

#[test]
fn a_crash_at_start_loses_and_repeated_ones_end_the_match() {
    loses("exit-at-start", 0, NODES, "start-failure");
    let arena = Arena::new();
    let engines = [
        arena.engine("bad", "exit-at-start", 0),
        arena.engine("good", "random", 5),
    ];
    let run = arena.play(
        &engines,
        &["--games", "100", "--nodes", "1", "--jsonl", "g.jsonl"],
    );
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("engine bad does not start"), "{}", run.err);
    assert!(run.err.contains("10th time in a row"), "{}", run.err);
    assert_eq!(arena.games("g.jsonl").len(), 9);
}

#[test]
fn silence_at_the_start_loses() {
    loses(
        "mute",
        0,
        &["--nodes", "1", "--startup", "1"],
        "start-failure",
    );
}

#[test]
fn a_slow_start_is_no_fault() {
    let (_arena, run, games) = four_games("slow-start", 1500, CLOCK);
    assert_eq!((run.code, games.len()), (Some(0), 4));
    assert!(!run.out.contains("lost by"), "{}", run.out);
}

#[test]
fn a_crash_in_the_middle_is_noticed_under_every_limit() {
    for limits in [NODES, DEEP, CLOCK, MOVETIME] {
        let start = Instant::now();
        loses("crash", 0, limits, "crash");
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "at once, not after a time-out"
        );
    }
}

#[test]
fn silence_is_noticed_without_a_clock() {
    loses("hang", 0, HASTY, "no-answer");
    loses("silent", 0, DEEP, "no-answer");
}

#[test]
fn silence_is_noticed_on_a_clock() {
    loses("hang", 0, CLOCK, "time-forfeit");
    loses("silent", 0, MOVETIME, "time-forfeit");
}

#[test]
fn an_engine_that_is_never_ready_again_loses() {
    loses("never-ready", 0, HASTY, "no-answer");
}

#[test]
fn an_answer_after_the_flag_loses_on_time() {
    loses("late", 700, CLOCK, "time-forfeit");
    loses("late", 300, MOVETIME, "time-forfeit");
}

#[test]
fn wrong_moves_lose() {
    loses("illegal", 0, NODES, "illegal-move");
    for mode in ["garbage", "empty", "none"] {
        loses(mode, 0, NODES, "bad-answer");
    }
    loses("twice", 0, NODES, "second-move");
}

#[test]
fn output_without_end_is_survived() {
    loses("endless", 0, CLOCK, "time-forfeit");
    loses("chatter", 0, HASTY, "no-answer");
}

#[test]
fn a_megabyte_a_second_of_thoughts_is_no_fault() {
    let arena = Arena::new();
    let engines = [
        arena.engine("loud", "flood", 5),
        arena.engine("good", "random", 5),
    ];
    let run = arena.play(
        &engines,
        &["--games", "2", "--jsonl", "g.jsonl", "--tc", "5+0.1"],
    );
    assert_eq!(run.code, Some(0));
    assert!(!run.out.contains("lost by"), "{}", run.out);
    assert_eq!(arena.games("g.jsonl").len(), 2);
}

#[test]
fn a_process_that_ends_with_its_pipes_open_is_noticed_and_its_children_are_ended() {
    loses("orphan", 0, NODES, "crash");
}

#[test]
fn an_engine_that_ignores_quit_is_ended() {
    let (_arena, run, games) = four_games("stubborn", 0, NODES);
    assert_eq!((run.code, games.len()), (Some(0), 4));
}

#[test]
fn a_program_that_cannot_be_started_is_named_before_any_game() {
    let arena = Arena::new();
    let good = arena.engine("good", "random", 5);
    let run = |command: &str| {
        let engines = [format!("name=bad,cmd={command}"), good.clone()];
        let run = arena.play(&engines, &["--games", "2", "--nodes", "1"]);
        assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
        assert!(run.err.contains("engine bad"), "{}", run.err);
        run.err
    };
    let missing = arena.path("missing");
    assert!(run(&missing).contains(&missing));
    // A binary of another architecture: an ELF head with a machine that is none.
    let foreign = arena.path("foreign");
    let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
    elf.resize(64, 0);
    (elf[16], elf[18], elf[19], elf[20]) = (2, 0xfe, 0xca, 1);
    std::fs::write(&foreign, elf).expect("a file");
    make_executable(&foreign);
    assert!(run(&foreign).contains(&foreign));
    let text = arena.path("not-executable");
    std::fs::write(&text, "hello").expect("a file");
    assert!(run(&text).contains(&text));
    assert_eq!(arena.leftovers(), [""; 0]);
}

#[cfg(unix)]
fn make_executable(path: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
}

#[cfg(not(unix))]
fn make_executable(_: &str) {}

#[test]
fn wrong_options_and_names_are_refused_before_any_game() {
    let arena = Arena::new();
    let good = arena.engine("good", "random", 5);
    let refused = |first: String, more: &[&str], code: i32, why: &str| {
        let mut arguments = vec!["--games", "2", "--nodes", "1"];
        arguments.extend(more);
        let run = arena.play(&[first, good.clone()], &arguments);
        assert_eq!(run.code, Some(code), "{why}: {}{}", run.out, run.err);
        assert!(run.err.contains(why), "{why}: {}", run.err);
        assert_eq!(run.out, "", "nothing is played");
    };
    let bad = || arena.engine("bad", "random", 6);
    refused(
        bad() + ",option.Hsh=1",
        &[],
        1,
        "no option is called 'Hsh'; it has: Hash,",
    );
    refused(
        bad() + ",option.hash=65",
        &[],
        1,
        "option Hash: '65' is not a number from 1 to 64",
    );
    refused(
        bad() + ",option.Style=odd",
        &[],
        1,
        "'odd' is none of calm, wild",
    );
    refused(
        bad(),
        &["--option", "Contempt=1"],
        1,
        "no option is called 'Contempt'",
    );
    refused(good.clone(), &[], 2, "two engines are called good");
    refused(bad(), &["--openings", "missing.txt"], 2, "missing.txt");
    refused(bad(), &["--games", "3"], 2, "");
    refused(bad(), &["--shard", "3/2"], 2, "'3/2' is no part");
}

#[test]
fn the_limit_on_quiet_plies_is_told_to_engines_that_have_the_option() {
    let arena = Arena::new();
    let engines = [
        arena.engine("a", "needs-limit", 40),
        arena.engine("b", "random", 5),
    ];
    let arguments = [
        "--games",
        "2",
        "--nodes",
        "1",
        "--no-capture-limit",
        "40",
        "--jsonl",
        "g.jsonl",
    ];
    let run = arena.play(&engines, &arguments);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(!run.out.contains("lost by"), "{}", run.out);
}

#[test]
fn false_statements_are_reported_and_cost_nothing() {
    let (_arena, run, games) = four_games("liar", 0, NODES);
    assert_eq!(run.code, Some(0));
    assert!(games.iter().all(|game| game["detail"].is_null()));
    assert!(
        run.out
            .contains("bad: 4 announced wins did not come, illegal lines in 4 games"),
        "{}",
        run.out
    );
    let notes = games[0]["notes"].to_string();
    assert!(notes.contains("move 1 of its line, c3c4"), "{notes}");
}
