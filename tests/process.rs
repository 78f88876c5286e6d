//! Dialogues with the real program.

mod common;

use std::time::{Duration, Instant};

use common::Program;

const ERROR: &str = "info string error: ";
const BUSY: &str = "info string error: a search is running";

fn fen(program: &mut Program) -> String {
    program.send("query fen");
    program.find("response ")
}

/// Sends a line that is wrong; returns the error, nothing else being printed.
fn refused(program: &mut Program, line: &str) -> String {
    program.send(line);
    let lines = program.sync();
    assert_eq!(lines.len(), 1, "{line}: {lines:?}");
    assert!(lines[0].starts_with(ERROR), "{line}: {lines:?}");
    lines[0][ERROR.len()..].to_owned()
}

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
        assert!(refused(&mut program, "go depth 1").len() > BUSY.len() - ERROR.len());
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
fn commands_during_a_search_are_refused_and_change_nothing() {
    let mut program = Program::start();
    let before = fen(&mut program);
    program.send("go infinite");
    let commands = [
        "position startpos moves c2c3",
        "go depth 1",
        "setoption name Hash value 1",
        "ucinewgame",
        "uginewgame",
        "perft 3",
        "bench",
    ];
    for command in commands {
        program.send(command);
        program.find(BUSY);
    }
    assert_eq!(fen(&mut program), before);
    program.send("stop");
    program.find("bestmove ");
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
fn bad_input_is_named_and_changes_nothing() {
    let mut program = Program::start();
    program.send("position startpos moves c2c3 c4c2");
    let before = fen(&mut program);
    for (line, words) in [
        ("position startpos moves c1c3", "illegal move c1c3: "),
        ("position startpos moves c2c3 c4c2 x9", "illegal move x9: "),
        (
            "position fen wwwww/wwwww/www2/5/4b w",
            "White has 13 stones",
        ),
        ("position fen 5/5/5/5 w", "4 ranks"),
        ("position fen 6/5/5/5/5 w", "'6'"),
        ("position fen 5/5/5/5/4x w", "'x'"),
        ("position fen", "bad position"),
        ("position", "position needs"),
        ("go depth -3", "depth needs a number"),
        ("go depth", "depth needs a number"),
        (
            "go movetime 99999999999999999999999",
            "movetime needs a number",
        ),
        ("go wtime -1 btime 5", "wtime needs a number"),
        ("go searchmoves", "searchmoves needs moves"),
        ("go searchmoves c2c9", "'c2c9' is not a move"),
        ("go searchmoves a1a2", "illegal move a1a2"),
        ("go btime 1000", "wtime"),
        ("perft 99", "perft needs"),
        ("go perft x", "perft needs"),
        ("setoption", "setoption needs"),
        ("setoption name Hash", "option Hash needs a value"),
        ("setoption name hash value", "option Hash needs a value"),
        ("setoption name Hash value 0", "not a number from 1"),
        (
            "setoption name Hash value 1048576",
            "do not fit into memory",
        ),
        ("setoption name UCI_Elo value 399", "not a number from 400"),
        ("setoption name Ponder value maybe", "not true or false"),
        ("setoption name Nonsense value 1", "'Nonsense'"),
        ("query", "query needs"),
        ("nonsense words", "no command"),
    ] {
        let error = refused(&mut program, line);
        assert!(error.contains(words), "{line}: {error}");
        assert_eq!(fen(&mut program), before, "{line}");
    }
    program.send("\r\n   \n\tplease  go\tdepth 3\r");
    program.find("bestmove ");
}

#[test]
fn any_bytes_and_very_long_lines_do_no_harm() {
    let mut program = Program::start();
    program.send_bytes(b"\x00\xff\xfe\x80go\x1b[2J \xc3\x28\n");
    assert!(program.line().starts_with(ERROR));
    program.send(&"x".repeat(1 << 20));
    assert!(program.line().starts_with(ERROR));
    program.send(&"x ".repeat(1 << 19));
    assert!(program.line().starts_with(ERROR));
    program.send(&format!(
        "position startpos moves {}",
        "c2c3 ".repeat(200_000)
    ));
    assert!(program.line().contains("illegal move c2c3"));
    program.send(&format!("{}go depth 2", " ".repeat(1 << 20)));
    program.find("bestmove ");
    program.send_bytes(b"isready");
    program.close();
    let (code, lines) = program.end();
    assert_eq!((code, lines), (Some(0), vec!["readyok".to_owned()]));
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
    assert!(start.elapsed() < Duration::from_secs(2));
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
