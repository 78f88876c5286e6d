//! Dialogues with the real program.

mod common;

use std::time::{Duration, Instant};

use common::Program;

#[test]
fn a_search_prints_growing_depths_and_one_move() {
    let mut program = Program::start();
    program.send("position startpos");
    program.send("go depth 8");
    let lines = program.until("bestmove");
    let depth = |line: &str| -> Option<u32> {
        line.strip_prefix("info depth ")?
            .split(' ')
            .next()?
            .parse()
            .ok()
    };
    let depths: Vec<u32> = lines.iter().filter_map(|line| depth(line)).collect();
    assert!(depths.is_sorted() && depths.last() == Some(&8), "{lines:?}");
    assert_eq!(program.sync(), [""; 0]);
}

#[test]
fn stop_is_answered_quickly() {
    let mut program = Program::start();
    program.send("go infinite");
    program.find("info depth 8 ");
    let start = Instant::now();
    program.send("stop");
    program.find("bestmove ");
    assert!(start.elapsed() < Duration::from_secs(1));
    program.send("stop");
    assert_eq!(program.sync(), [""; 0], "stop while idle is ignored");
}

#[test]
fn an_infinite_search_waits_for_stop_even_when_done() {
    let mut program = Program::start();
    // A finished game, a win in one, a single legal move.
    for position in ["5/5/5/5/4b w", "5/5/1b3/b1b2/wb3 w", "5/4b/4w/5/w4 w"] {
        program.send(&format!("position fen {position}"));
        program.send("go infinite");
        std::thread::sleep(Duration::from_millis(150));
        let before = program.sync();
        assert!(
            !before.iter().any(|line| line.starts_with("bestmove")),
            "{before:?}"
        );
        program.send("go depth 1");
        assert!(
            program
                .line()
                .starts_with("info string error: a search is running")
        );
        program.send("stop");
        program.find("bestmove ");
    }
}

#[test]
fn pondering_ends_with_the_hit_or_a_stop() {
    let mut program = Program::start();
    program.send("go ponder movetime 50");
    std::thread::sleep(Duration::from_millis(200));
    let before = program.sync();
    assert!(
        !before.iter().any(|line| line.starts_with("bestmove")),
        "{before:?}"
    );
    program.send("ponderhit");
    program.find("bestmove ");
    program.send("go ponder depth 2");
    program.send("stop");
    program.find("bestmove ");
    program.send("ponderhit");
    assert_eq!(program.sync(), [""; 0]);
}

#[test]
fn a_finite_search_is_finished_at_the_end_of_the_input() {
    let mut program = Program::start();
    program.send("position startpos\ngo depth 10");
    program.close();
    let (code, lines) = program.end();
    assert_eq!(code, Some(0));
    assert!(lines.iter().any(|line| line.starts_with("info depth 10 ")));
    assert!(
        lines
            .last()
            .is_some_and(|line| line.starts_with("bestmove "))
    );
}

#[test]
fn an_endless_search_is_stopped_at_the_end_of_the_input() {
    for go in [
        "go infinite",
        "go ponder wtime 100000",
        "go",
        "go depth 3 infinite",
    ] {
        let mut program = Program::start();
        program.send(go);
        program.close();
        let (code, lines) = program.end();
        assert_eq!(code, Some(0), "{go}");
        let answers = lines
            .iter()
            .filter(|line| line.starts_with("bestmove "))
            .count();
        assert_eq!(answers, 1, "{go}: {lines:?}");
    }
}

#[test]
fn quit_during_a_search_answers_first() {
    let mut program = Program::start();
    program.send("go infinite\nquit");
    let (code, lines) = program.end();
    assert_eq!(code, Some(0));
    assert!(
        lines
            .last()
            .is_some_and(|line| line.starts_with("bestmove "))
    );
}

#[test]
fn wait_runs_searches_one_after_the_other() {
    let mut program = Program::start();
    program.send("go depth 5\nwait\ngo depth 6\nwait\nquit");
    let (code, lines) = program.end();
    assert_eq!(code, Some(0));
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("bestmove "))
            .count(),
        2
    );
    let mut program = Program::start();
    program.send("go infinite\nwait");
    program.find("info string error: wait");
    program.send("stop");
    program.find("bestmove ");
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    let mut program = Program::start_deaf(&[]);
    program.send("go infinite");
    let (code, _) = program.end();
    assert_eq!(code, Some(0));
}

#[test]
fn a_finished_game_has_no_move() {
    let mut program = Program::start();
    for position in [
        "fen bww2/ww3/w1w2/5/5 b",
        "fen 4b/5/5/5/w4 w moves a1a2 e5e4 a2a1 e4e5 a1a2 e5e4 a2a1 e4e5",
    ] {
        program.send(&format!("position {position}"));
        program.send("go movetime 1000");
        assert!(program.line().starts_with("info string the game is over"));
        assert_eq!(program.line(), "bestmove (none)");
    }
}

#[test]
fn a_single_legal_move_is_played_at_once_under_a_clock() {
    let mut program = Program::start();
    program.send("position fen 5/4b/4w/5/w4 w");
    let start = Instant::now();
    program.send("go wtime 600000 btime 600000");
    assert!(program.find("bestmove").starts_with("bestmove e3e5"));
    // Its share of the clock would be 20 s.
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_match_tool_gets_two_words() {
    let mut program = Program::start();
    program.send("ugi");
    program.find("ugiok");
    program.send("uginewgame");
    program.send("position startpos moves c2c3");
    for (query, response) in [
        ("gameover", "false"),
        ("p1turn", "false"),
        ("p2turn", "true"),
        ("result", "none"),
        ("islegal c4c2", "true"),
        ("islegal c4-c2", "true"),
        ("islegal c4c3", "false"),
        ("islegal ???", "false"),
        ("fen", "bbbbb/bbbbb/bbwww/ww1ww/wwwww b 1 1"),
    ] {
        program.send(&format!("query {query}"));
        assert_eq!(program.line(), format!("response {response}"));
    }
    program.send("go p1time 1000 p2time 1000 p1inc 0 p2inc 0");
    assert_eq!(program.find("bestmove"), "bestmove c4c2");
    program.send("position fen 4b/5/5/5/w4 w moves a1a2 e5e4 a2a1 e4e5 a1a2 e5e4 a2a1 e4e5");
    program.send("query gameover");
    assert_eq!(program.line(), "response true");
    program.send("query result");
    assert_eq!(program.line(), "response draw");
}

#[test]
fn perft_prints_moves_a_blank_line_and_the_total() {
    let mut program = Program::start();
    program.send("go perft 7");
    let lines = program.until("Nodes searched: ");
    assert_eq!(lines.len(), 6, "{lines:?}");
    assert!(lines[1].starts_with("c2c3: "));
    assert_eq!(lines[4..], ["", "Nodes searched: 541"]);
    program.send("perft 30");
    program.send("isready");
    assert_eq!(program.line(), "readyok");
    program.send("stop");
    assert_eq!(program.line(), "info string error: perft stopped");
}

#[test]
fn a_search_of_seconds_tells_its_moves() {
    let mut program = Program::start();
    program.send("go infinite");
    let line = program.find("info depth 1 ");
    assert!(line.contains(" pv "), "{line}");
    let told = loop {
        let line = program.line();
        if line.contains(" currmove ") {
            break line;
        }
    };
    let words: Vec<&str> = told.split(' ').collect();
    assert_eq!(words[..2], ["info", "depth"], "{told}");
    assert_eq!((words[3], words[5]), ("currmove", "currmovenumber"));
    assert!(
        ["b2c3", "c2c3", "d2c3", "d3c3"].contains(&words[4]),
        "{told}"
    );
    assert!((1..=4).contains(&words[6].parse().unwrap_or(0)), "{told}");
    program.send("stop");
    program.find("bestmove ");
}

#[test]
fn several_lines_come_together_and_chances_add_up() {
    let mut program = Program::start();
    program.send("setoption name multipv value 3");
    program.send("setoption name UCI_ShowWDL value true");
    program.send("go depth 5");
    let lines = program.until("bestmove");
    let ranks = lines.iter().filter(|line| line.contains(" multipv "));
    for (index, line) in ranks.enumerate() {
        assert!(
            line.contains(&format!(" multipv {} ", index % 3 + 1)),
            "{lines:?}"
        );
        let words: Vec<&str> = line.split(' ').skip_while(|&word| word != "wdl").collect();
        let sum: u32 = words[1..4]
            .iter()
            .filter_map(|word| word.parse::<u32>().ok())
            .sum();
        assert_eq!(sum, 1000, "{line}");
    }
}

#[test]
fn the_dialogue_of_the_specification_holds() {
    common::replay("dialogue uci", &[]);
}

#[test]
fn what_follows_a_total_at_once_is_taken() {
    let mut program = Program::start();
    for _ in 0..300 {
        program.send("perft 1");
        program.find("Nodes searched: ");
        // While the work counted as running, this would be refused.
        program.send("setoption name Hash value 1");
        assert_eq!(program.sync(), Vec::<String>::new());
    }
}
