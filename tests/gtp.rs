//! Dialogues with GoGui's protocol.

mod common;

use std::io::Cursor;
use std::time::{Duration, Instant};

use alquerque::protocol::gtp;
use common::Program;
use proptest::prelude::*;

/// Sends a command; the answer up to its blank line, which is left out.
fn ask(program: &mut Program, command: &str) -> String {
    program.send(command);
    let mut lines = Vec::new();
    loop {
        match program.line() {
            line if line.is_empty() => return lines.join("\n"),
            line => lines.push(line),
        }
    }
}

#[test]
fn the_dialogue_of_the_specification_holds() {
    common::replay("dialogue gtp", &["gtp"]);
}

#[test]
fn every_listed_command_is_known_and_answered() {
    let mut program = Program::start_with(&["gtp"]);
    let commands = ask(&mut program, "list_commands");
    let commands = commands.trim_start_matches("= ");
    for command in commands.lines().filter(|&command| command != "quit") {
        assert_eq!(
            ask(&mut program, &format!("known_command {command}")),
            "= true"
        );
        let answer = ask(&mut program, command);
        assert!(answer.starts_with(['=', '?']), "{command}: {answer}");
        assert_ne!(answer, "? unknown command", "{command}");
    }
    assert_eq!(ask(&mut program, "known_command nonsense"), "= false");
    assert_eq!(ask(&mut program, "3 nonsense"), "?3 unknown command");
    for line in ask(&mut program, "gogui-analyze_commands")
        .trim_start_matches("= ")
        .lines()
    {
        let command = line.split('/').next_back().unwrap_or_default();
        assert!(commands.lines().any(|known| known == command), "{line}");
    }
}

#[test]
fn a_game_is_played_to_its_end_and_taken_back_point_by_point() {
    let mut program = Program::start_with(&["gtp"]);
    assert_eq!(ask(&mut program, "alquerque-setoption Hash = 1"), "=");
    // A stone ahead each way: games end soon with little time.
    assert_eq!(
        ask(&mut program, "alquerque-position b3b/2b2/5/2w2/w1w1w w"),
        "="
    );
    assert_eq!(ask(&mut program, "time_settings 2 1 25"), "=");
    let start = ask(&mut program, "gogui-rules_board");
    let (mut points, mut last_side) = (0, String::new());
    for _ in 0..400 {
        if ask(&mut program, "gogui-rules_legal_moves") == "=" {
            break;
        }
        let side = ask(&mut program, "gogui-rules_side_to_move").replace("= ", "");
        last_side = side.clone();
        let legal = ask(&mut program, "gogui-rules_legal_moves");
        let answer = ask(&mut program, &format!("genmove {side}"));
        let point = answer.strip_prefix("= ").expect("a point");
        assert!(legal.split(' ').any(|p| p == point), "{point} of {legal}");
        points += 1;
    }
    assert!(["white", "black"].contains(&last_side.as_str()));
    let result = ask(&mut program, "gogui-rules_final_result");
    assert!(
        result.contains("wins") || result.contains("draw"),
        "{result}"
    );
    assert!(ask(&mut program, "final_score").starts_with("= "));
    for _ in 0..points {
        assert_eq!(ask(&mut program, "undo"), "=");
    }
    assert!(ask(&mut program, "undo").starts_with("? cannot undo"));
    assert_eq!(ask(&mut program, "gogui-rules_board"), start);
}

#[test]
fn the_value_of_a_decided_position_is_told() {
    let mut program = Program::start_with(&["gtp"]);
    ask(&mut program, "alquerque-position 5/4b/4w/5/w4 w");
    assert_eq!(
        ask(&mut program, "alquerque-value"),
        "= win for White in 1 plies"
    );
    assert!(ask(&mut program, "alquerque-bestmove").starts_with("= e3e5 (win in 1, "));
    assert_eq!(
        ask(&mut program, "alquerque-bestmove_gfx"),
        "= LABEL E3 1\nLABEL E5 2"
    );
    assert_eq!(ask(&mut program, "reg_genmove white"), "= E3");
    assert_eq!(ask(&mut program, "gogui-rules_legal_moves"), "= E3");
    // One stone each: nobody can force anything (the published counts have 520 such draws).
    ask(&mut program, "alquerque-position 4b/5/5/5/w4 w");
    assert_eq!(ask(&mut program, "alquerque-value"), "= draw");
}

#[test]
fn the_limit_on_quiet_plies_holds_at_once() {
    let mut program = Program::start_with(&["gtp"]);
    ask(
        &mut program,
        "alquerque-position 4b/5/5/5/w4 w 0 1 a1a2 e5e4",
    );
    assert_eq!(ask(&mut program, "gogui-rules_final_result"), "=");
    ask(&mut program, "alquerque-setoption No Capture Limit = 2");
    let result = ask(&mut program, "gogui-rules_final_result");
    assert_eq!(result, "= draw: no capture for too long");
    assert_eq!(ask(&mut program, "gogui-rules_legal_moves"), "=");
}

#[test]
fn the_clock_is_kept() {
    let mut program = Program::start_with(&["gtp"]);
    ask(&mut program, "time_settings 300 0 0");
    ask(&mut program, "time_left white 1 0");
    let start = Instant::now();
    assert!(ask(&mut program, "genmove white").starts_with("= "));
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "not the share of 300 s"
    );
}

#[test]
fn a_search_can_be_interrupted() {
    let mut program = Program::start_with(&["gtp"]);
    ask(&mut program, "time_settings 6000 0 0");
    let start = Instant::now();
    program.send("genmove white");
    std::thread::sleep(Duration::from_millis(100));
    program.send("# interrupt");
    assert!(program.line().starts_with("= "));
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "not the clock's share of 6000 s"
    );
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    let mut program = Program::start_with(&["gtp"]);
    ask(&mut program, "play white c2");
    let state = |program: &mut Program| {
        let fen = ask(program, "alquerque-position");
        fen + &ask(program, "gogui-rules_legal_moves")
    };
    let before = state(&mut program);
    for (line, words) in [
        ("play", "needs a colour"),
        ("play white", "needs a point"),
        ("play green c3", "'green' is not a colour"),
        ("play white pass", "'pass' is not a point"),
        ("play white J9", "'J9' is not a point"),
        ("play black c3", "white's turn"),
        ("play white c5", "illegal move: c5"),
        ("genmove", "needs a colour"),
        ("genmove b", "white's turn"),
        ("time_settings -1 0 0", "'-1' is not a number"),
        ("time_settings 1 99999999999999 0", "not a number"),
        ("time_left w 1", "needs whole seconds"),
        ("alquerque-position wwwww/wwwww/www2/5/4b w", "13 stones"),
        ("alquerque-position c2c3 e5e4", "e4 is occupied"),
        ("alquerque-setoption Hash", "NAME = VALUE"),
        ("alquerque-setoption Hash = 0", "not a number from 1"),
        (
            "alquerque-setoption Hash = 1048576",
            "do not fit into memory",
        ),
        ("boardsize x", "unacceptable size"),
        ("\u{1}\u{2} x", "unknown command"),
    ] {
        let answer = ask(&mut program, line);
        assert!(
            answer.starts_with("? ") && answer.contains(words),
            "{line}: {answer}"
        );
        assert_eq!(state(&mut program), before, "{line}");
    }
    program.send_bytes(b"\xff\xfe\x00\n");
    assert_eq!(ask(&mut program, ""), "? unknown command");
    program.send(&"x".repeat(1 << 20));
    assert_eq!(ask(&mut program, ""), "? unknown command");
    program.close();
    assert_eq!(program.end(), (Some(0), Vec::new()));
}

#[test]
fn the_end_of_input_or_output_ends_it() {
    let mut program = Program::start_with(&["gtp"]);
    program.send("genmove white");
    program.close();
    let (code, lines) = program.end();
    assert_eq!(code, Some(0));
    assert!(
        lines[0].starts_with("= "),
        "the answer comes first: {lines:?}"
    );
    let mut program = Program::start_deaf(&["gtp"]);
    program.send("name\ngenmove white");
    assert_eq!(program.end().0, Some(0));
}

fn line() -> impl Strategy<Value = String> {
    let points = "(play (white|black|w|b) [A-Fa-f][1-6])|play|undo|(genmove|reg_genmove) (w|b)";
    let rules =
        "gogui-rules_(board|legal_moves|side_to_move|board_gfx|captured_count|final_result)";
    let other =
        "(time_settings|time_left w) [0-9]{1,2} [0-9] [0-9]|clear_board|showboard|boardsize [4-6]";
    prop_oneof![
        6 => points,
        2 => rules,
        2 => other,
        1 => Just("alquerque-position b4/5/5/5/wb1b1 w".to_owned()),
        1 => "[ -~]{0,20}",
    ]
    .prop_filter("the session goes on", |line| !line.contains("quit"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_lines_are_answered_in_order(lines in prop::collection::vec(line(), 0..25)) {
        // Every request has a number; each is answered once, in order.
        let mut input = String::from("alquerque-setoption Hash = 1\ntime_settings 0 1 100\n");
        let mut expected = Vec::new();
        for (number, text) in lines.iter().enumerate() {
            let text = text.replace('#', "");
            input.push_str(&format!("{number} {text}\n"));
            if !text.trim().is_empty() {
                expected.push(number);
            }
        }
        let mut output = Vec::new();
        let session = gtp::run(Cursor::new(input.clone().into_bytes()), &mut output);
        session.expect("a session ends well");
        let output = String::from_utf8(output).expect("output is UTF-8");
        let answers = output.split_terminator("\n\n").skip(2);
        let number = |answer: &str| answer.get(1..)?.split([' ', '\n']).next()?.parse().ok();
        let numbers: Vec<usize> = answers.filter_map(number).collect();
        prop_assert_eq!(numbers, expected, "{}\n{}", input, output);
    }
}
