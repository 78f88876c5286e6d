//! Whole matches: who plays whom, when they end, what is told and written.

use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Arena, alquerque, finish, processes_with, signal};

fn count(games: &[Value], white: &str, black: &str) -> usize {
    let meets = |game: &&Value| game["white"] == white && game["black"] == black;
    games.iter().filter(meets).count()
}

#[test]
fn everybody_meets_everybody_or_the_first_all_others() {
    let arena = Arena::new();
    let engines = ["a", "b", "c"].map(|name| arena.engine(name, "random", 1));
    let arguments = [
        "--games", "4", "--nodes", "1", "--jsonl", "g.jsonl", "--json", "s.json",
    ];
    let run = arena.play(&engines, &arguments);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let games = arena.games("g.jsonl");
    assert_eq!(games.len(), 12);
    for (first, second) in [("a", "b"), ("a", "c"), ("b", "c")] {
        assert_eq!(
            (count(&games, first, second), count(&games, second, first)),
            (2, 2)
        );
    }
    let summary = std::fs::read_to_string(arena.path("s.json")).expect("a summary");
    let summary: Value = serde_json::from_str(&summary).expect("JSON");
    assert_eq!(
        (&summary["games"], &summary["finished"]),
        (&Value::from(12), &Value::from(true))
    );
    let points: f64 = (0..3)
        .filter_map(|i| summary["engines"][i]["points"].as_f64())
        .sum();
    assert_eq!(points, 12.0);
    let run = arena.play(
        &engines,
        &[
            "--games",
            "2",
            "--nodes",
            "1",
            "--gauntlet",
            "--jsonl",
            "h.jsonl",
        ],
    );
    assert_eq!(run.code, Some(0));
    let games = arena.games("h.jsonl");
    assert_eq!(
        (
            games.len(),
            count(&games, "b", "c") + count(&games, "c", "b")
        ),
        (4, 0)
    );
}

#[test]
fn a_test_ends_the_match_by_itself() {
    let arena = Arena::new();
    let strong = arena.real_engine("strong", ",depth=3");
    let weak = arena.engine("weak", "random", 1) + ",nodes=1";
    let play = |engines: &[String], file: &str| {
        let arguments = [
            "--sprt",
            "elo0=0,elo1=200",
            "--concurrency",
            "2",
            "--jsonl",
            file,
        ];
        let run = arena.play(engines, &arguments);
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.out
    };
    let better = play(&[strong.clone(), weak.clone()], "g.jsonl");
    assert!(
        better.contains("H1 accepted: strong is stronger"),
        "{better}"
    );
    let games = arena.games("g.jsonl").len();
    assert!((2..300).contains(&games), "{games}");
    let again = play(&[strong.clone(), weak.clone()], "g.jsonl");
    assert_eq!(again, better, "nothing more is played once it is decided");
    let worse = play(&[weak, strong], "h.jsonl");
    assert!(
        worse.contains("H0 accepted: weak is not stronger"),
        "{worse}"
    );
}

#[test]
fn the_same_command_gives_the_same_games() {
    let arena = Arena::new();
    let engines = [
        arena.real_engine("a", ",depth=3"),
        arena.real_engine("b", ",depth=2"),
    ];
    let games = |file: &str, concurrency: &str| {
        let arguments = [
            "--games",
            "12",
            "--jsonl",
            file,
            "--concurrency",
            concurrency,
            "--seed",
            "9",
        ];
        let run = arena.play(&engines, &arguments);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let key = |game: &Value| {
            let moves = game["moves"].as_array().cloned().unwrap_or_default();
            let moves: Vec<String> = moves.iter().map(|mv| mv["move"].to_string()).collect();
            (game["game"].as_u64(), (game["position"].to_string(), moves))
        };
        arena
            .games(file)
            .iter()
            .map(key)
            .collect::<BTreeMap<_, _>>()
    };
    let first = games("g.jsonl", "1");
    assert_eq!(first.len(), 12);
    assert_eq!(first, games("h.jsonl", "2"));
}

#[test]
fn parts_merge_into_the_whole() {
    let arena = Arena::new();
    let engines = [
        arena.real_engine("a", ",depth=3"),
        arena.real_engine("b", ",depth=2"),
    ];
    let whole = arena.play(&engines, &["--games", "14", "--jsonl", "whole.jsonl"]);
    assert_eq!(whole.code, Some(0), "{}", whole.err);
    let mut merge = vec!["merge".to_owned()];
    for index in 1..=3 {
        let (shard, file) = (format!("{index}/3"), format!("part{index}.jsonl"));
        let run = arena.play(
            &engines,
            &["--games", "14", "--shard", &shard, "--out", &file],
        );
        assert_eq!(run.code, Some(0), "{}", run.err);
        merge.push(arena.path(&file));
    }
    // A part that was played twice counts once.
    merge.push(arena.path("part2.jsonl"));
    for (option, file) in [
        ("--pgn", "m.pgn"),
        ("--jsonl", "m.jsonl"),
        ("--report", "m.html"),
    ] {
        merge.extend([option.to_owned(), arena.path(file)]);
    }
    let arguments: Vec<&str> = merge.iter().map(String::as_str).collect();
    let merged = alquerque(&arguments);
    assert_eq!(merged.code, Some(0), "{}", merged.err);
    assert_eq!(merged.out, whole.out);
    let check = alquerque(&["pgn", "check", &arena.path("m.pgn"), &arena.path("m.jsonl")]);
    assert_eq!(check.out.matches(": 14 games").count(), 2, "{}", check.out);
    let page = std::fs::read_to_string(arena.path("m.html")).expect("a page");
    assert!(page.contains("<svg") && page.contains("14 games") && !page.contains("NaN"));
    let other = arena.play(
        &engines,
        &["--games", "14", "--seed", "8", "--jsonl", "other.jsonl"],
    );
    assert_eq!(other.code, Some(0));
    let mixed = alquerque(&[
        "merge",
        &arena.path("part1.jsonl"),
        &arena.path("other.jsonl"),
    ]);
    assert_eq!(mixed.code, Some(1));
    assert!(
        mixed.err.contains("not parts of one match: 'seed'"),
        "{}",
        mixed.err
    );
}

#[test]
fn games_are_adjudicated_only_if_asked() {
    let arena = Arena::new();
    // The mock engine's score is its number less 1000.
    let play = |numbers: [u64; 2], file: &str, rule: &[&str]| {
        let engines = [
            arena.engine("a", "eager", numbers[0]),
            arena.engine("b", "eager", numbers[1]),
        ];
        let mut arguments = vec!["--games", "2", "--nodes", "1", "--jsonl", file];
        arguments.extend(rule);
        assert_eq!(arena.play(&engines, &arguments).code, Some(0));
        arena.games(file)
    };
    for game in play(
        [0, 2000],
        "resign.jsonl",
        &["--resign", "moves=2,score=900"],
    ) {
        assert_eq!(game["reason"], "resign-adjudication", "{game}");
        assert_eq!(
            game["result"],
            if game["white"] == "a" { "0-1" } else { "1-0" }
        );
    }
    for game in play(
        [1000, 1000],
        "draw.jsonl",
        &["--draw", "moves=2,score=0,after=6"],
    ) {
        assert_eq!(
            (&game["reason"], &game["plies"]),
            (&"draw-adjudication".into(), &6.into())
        );
    }
    for game in play([1000, 1000], "length.jsonl", &["--max-plies", "5"]) {
        assert_eq!(
            (&game["reason"], &game["plies"]),
            (&"length-adjudication".into(), &5.into())
        );
    }
    for game in play([0, 2000], "none.jsonl", &[]) {
        assert!(
            !game["reason"].to_string().contains("adjudication"),
            "{game}"
        );
    }
}

#[test]
fn never_more_engines_than_asked_for() {
    let arena = Arena::new();
    let engines = ["a", "b", "c"].map(|name| arena.engine(name, "pause", 2));
    let child = arena.start(
        &engines,
        &["--games", "20", "--movetime", "500", "--concurrency", "2"],
    );
    let mut most = 0;
    for _ in 0..100 {
        most = most.max(processes_with(&arena.path("")).len());
        sleep(Duration::from_millis(10));
    }
    signal(child.id(), "INT");
    finish(child);
    assert!(most <= 4, "{most} engines for two games at once");
    assert!(
        most >= 3 || !cfg!(target_os = "linux"),
        "{most} engines seen"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn engines_run_where_they_are_put() {
    let arena = Arena::new();
    let engines = ["a", "b"].map(|name| arena.engine(name, "pause", 20));
    let child = arena.start(
        &engines,
        &["--games", "40", "--movetime", "900", "--affinity"],
    );
    let start = Instant::now();
    let allowed = loop {
        let processes = processes_with(&arena.path(""));
        let allowed: Vec<String> = processes
            .iter()
            .filter_map(|line| allowed_cpus(line))
            .collect();
        if allowed.len() == 2 || start.elapsed() > Duration::from_secs(20) {
            break allowed;
        }
        sleep(Duration::from_millis(5));
    };
    signal(child.id(), "INT");
    finish(child);
    assert_eq!(allowed.len(), 2, "both engines are seen");
    // Engines that are tried before the first game run one after the other.
    assert!(
        allowed[0].parse::<u32>().is_ok() && allowed[0] == allowed[1],
        "{allowed:?}"
    );
}

/// The processors of a process, given by a line that begins with its number.
#[cfg(target_os = "linux")]
fn allowed_cpus(process: &str) -> Option<String> {
    let pid = process.split(' ').next()?;
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    Some(list.trim().to_owned())
}

#[test]
fn an_engine_may_speak_ugi_and_have_its_own_limits() {
    let arena = Arena::new();
    let engines = [
        arena.real_engine("a", ",proto=ugi,tc=2+0.01,option.Hash=1"),
        arena.engine("b", "random", 1) + ",nodes=1",
    ];
    let run = arena.play(
        &engines,
        &["--games", "2", "--pgn", "g.pgn", "--log", "log.txt"],
    );
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(!run.out.contains("lost by"), "{}", run.out);
    let pgn = std::fs::read_to_string(arena.path("g.pgn")).expect("a PGN");
    assert!(
        pgn.contains("[WhiteTimeControl \"2+0.01\"]\n[BlackTimeControl \"-\"]"),
        "{pgn}"
    );
    let log = std::fs::read_to_string(arena.path("log.txt")).expect("a log");
    for text in [
        "< ugi",
        "< setoption name Hash value 1",
        "go p1time",
        "> bestmove",
    ] {
        assert!(log.contains(text), "{text}");
    }
}

#[test]
fn openings_come_from_a_file_in_its_order() {
    let arena = Arena::new();
    let text =
        "c2c3 c4c2 # a comment\nbbbbb/bbbbb/bb1ww/wwwww/wwwww w moves b2c3\n5/2w2/2b2/5/b4 w\n";
    std::fs::write(arena.path("set.txt"), text).expect("a file");
    let engines = [
        arena.engine("a", "random", 1),
        arena.engine("b", "random", 2),
    ];
    let arguments = [
        "--games",
        "6",
        "--nodes",
        "1",
        "--openings",
        "set.txt",
        "--in-order",
        "--jsonl",
        "g.jsonl",
    ];
    let run = arena.play(&engines, &arguments);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let games = arena.games("g.jsonl");
    let first: Vec<&Value> = games.iter().map(|game| &game["moves"][0]["move"]).collect();
    assert_eq!(first, ["c2c3", "c2c3", "b2c3", "b2c3", "c4c2", "c4c2"]);
    assert!(
        games[0]["moves"][0]["ms"].is_null(),
        "a move of the opening took no time"
    );
}

#[test]
fn sets_of_openings_are_made_by_the_seed() {
    let make = |seed: &str| {
        let arguments = [
            "openings", "--count", "10", "--nodes", "500", "--seed", seed,
        ];
        let run = alquerque(&arguments);
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.out
    };
    assert_eq!(make("1"), make("1"));
    assert_ne!(make("1"), make("2"));
    let shipped = include_str!("../../src/arena/openings/balanced.txt");
    assert_eq!(alquerque(&["openings", "--all", "7"]).out, shipped);
}

/// Games of the program against itself, played by the match runner, must bear out what the set claims.
#[test]
fn games_from_contested_openings_end_differently() {
    let arena = Arena::new();
    let set = alquerque(&[
        "openings",
        "--count",
        "3",
        "--nodes",
        "100",
        "--plies",
        "10-20",
        "--window",
        "0-500",
        "--contested",
        "40",
    ]);
    assert_eq!(set.code, Some(0), "{}", set.err);
    std::fs::write(arena.path("set.txt"), set.out).expect("a file");
    let engines = ["a", "b"].map(|name| arena.real_engine(name, ""));
    let results = ["40", "80", "160"].map(|nodes| {
        let journal = format!("{nodes}.jsonl");
        let arguments = [
            "--games",
            "6",
            "--nodes",
            nodes,
            "--openings",
            "set.txt",
            "--in-order",
            "--jsonl",
            &journal,
        ];
        let run = arena.play(&engines, &arguments);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let games = arena.games(&journal);
        let results = games.iter().map(|game| game["result"].to_string());
        results.collect::<Vec<String>>()
    });
    for opening in 0..3 {
        let [first, others @ ..] = results.each_ref().map(|games| &games[2 * opening]);
        assert!(others.iter().any(|&other| other != first), "{results:?}");
    }
}

#[test]
fn wrong_records_are_found() {
    let arena = Arena::new();
    let engines = [
        arena.engine("a", "random", 1),
        arena.engine("b", "random", 2),
    ];
    let run = arena.play(
        &engines,
        &["--games", "2", "--nodes", "1", "--pgn", "g.pgn"],
    );
    assert_eq!(run.code, Some(0));
    let right = std::fs::read_to_string(arena.path("g.pgn")).expect("a PGN");
    let wrong = right.replacen("PlyCount \"", "PlyCount \"1", 1);
    std::fs::write(arena.path("wrong.pgn"), wrong).expect("a file");
    let check = alquerque(&["pgn", "check", &arena.path("wrong.pgn")]);
    assert_eq!(check.code, Some(1));
    assert!(
        check.out.contains("game 1 (line 1): it has"),
        "{}",
        check.out
    );
    let json = alquerque(&["pgn", "check", "--json", &arena.path("g.pgn")]);
    let json: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(
        (&json["report"]["games"], &json["report"]["problem_count"]),
        (&2.into(), &0.into())
    );
}
