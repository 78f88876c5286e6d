//! Dialogues in XBoard's protocol.

mod common;

use std::io::Cursor;
use std::time::{Duration, Instant};

use alquerque::protocol::xboard;
use alquerque::rules::{Move, Position};
use common::Program;
use proptest::prelude::*;

/// A session that has begun as XBoard begins it.
fn start(arguments: &[&str]) -> Program {
    let mut program = Program::start_with(arguments);
    program.send("xboard\nprotover 2");
    program.find("feature done=1");
    program.send("new\nvariant alquerque");
    program.find("setup 5x5+0_fairy ");
    program.send("sd 4");
    program
}

/// The lines that are printed before the answer to a ping.
fn sync(program: &mut Program) -> Vec<String> {
    program.send("ping 77");
    let mut lines = program.until("pong 77");
    lines.pop();
    lines
}

#[test]
fn the_dialogue_of_the_specification_holds() {
    common::replay("dialogue xboard", &["xboard"]);
}

#[test]
fn the_first_line_chooses_the_protocol() {
    let mut program = Program::start();
    program.send("\nxboard");
    program.send("protover 2");
    program.find("feature done=1");
    program.send("uci");
    assert_eq!(program.line(), "Error (unknown command): uci");
    let mut program = Program::start();
    program.send("isready\nxboard");
    assert_eq!(program.line(), "readyok");
    assert!(
        program
            .line()
            .starts_with("info string error: no command in 'xboard'")
    );
}

#[test]
fn it_plays_either_side_and_answers_pings_after_its_move() {
    let mut program = start(&["xboard"]);
    program.send("usermove c2c3");
    assert_eq!(program.find("move "), "move c4xc3-c2");
    program.send("go");
    let lines = sync(&mut program);
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("move "))
            .count(),
        1,
        "{lines:?}"
    );
    program.send("force\nusermove a1a2");
    assert!(program.find("Illegal move").ends_with(": a1a2"));
    program.send("st 100\nsd 0\ngo\nping 5");
    std::thread::sleep(Duration::from_millis(100));
    let clock = Instant::now();
    program.send("?");
    let lines = program.until("pong 5");
    assert!(
        lines.iter().any(|line| line.starts_with("move ")),
        "{lines:?}"
    );
    assert!(clock.elapsed() < Duration::from_secs(5), "move now");
}

#[test]
fn moves_are_taken_back_in_moves_of_xboard() {
    let mut program = start(&["xboard", "--fen", "4b/5/1b3/b1b2/wb3 w"]);
    program.send("force\nusermove a1a2,a2b3,b3c3\nusermove @@@@\nusermove c3c2,c2b1,b1a1");
    program.send("usermove e5e4");
    assert_eq!(sync(&mut program), [""; 0]);
    // Four moves of XBoard: two parts, the pass between them, and the reply.
    program.send("remove\nremove\nundo");
    assert_eq!(program.find("Error"), "Error (nothing to take back): undo");
    program.send("lift a1");
    assert_eq!(program.line(), "highlight 5/5/5/C4/1C3");
    program.send("usermove a1a2,a2b3,b3c3\nlift c3");
    assert_eq!(program.line(), "highlight 5/5/5/2C2/5");
    program.send("undo\nlift c3");
    assert_eq!(program.line(), "highlight 5/5/5/5/5");
}

#[test]
fn a_chain_of_four_goes_out_in_two_parts() {
    // Against a program, which passes by itself.
    let mut program = start(&["xboard", "--fen", "4w/5/1w3/w1w2/bw3 b"]);
    program.send("computer\ngo");
    let first = program.find("move ");
    assert!(
        ["move a1xa2xb3-c3", "move a1xb1xc2-c3"].contains(&first.as_str()),
        "{first}"
    );
    program.send("usermove @@@@");
    let second = program.find("move ");
    assert!(
        second.starts_with("move c3x") && second.ends_with("-a1"),
        "{second}"
    );
    // Against a person, XBoard is made to pass.
    let mut program = start(&["xboard", "--fen", "4w/5/1w3/w1w2/bw3 b"]);
    program.send("go");
    program.find("move a1x");
    let clicks: Vec<String> = (0..5).map(|_| program.line()).collect();
    let kinds: Vec<&str> = clicks
        .iter()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(kinds, ["click", "highlight", "click", "highlight", "click"]);
    program.send("lift e5\nusermove e5e4,e4e5");
    assert!(program.find("move c3x").ends_with("-a1"));
}

#[test]
fn results_are_told() {
    for (fen, moves, result) in [
        (
            "5/4b/4w/5/w4 w",
            "usermove e3e4,e4e5",
            "1-0 {White wins: Black has no stones}",
        ),
        (
            "4b/5/5/5/w4 w",
            "usermove a1a2\nusermove e5e4\nusermove a2a1\nusermove e4e5\nusermove a1a2\nusermove e5e4\nusermove a2a1\nusermove e4e5",
            "1/2-1/2 {draw by repetition}",
        ),
    ] {
        let mut program = start(&["xboard"]);
        program.send(&format!(
            "force\nsetboard {}",
            fen.replace('w', "M")
                .replace('b', "m")
                .replace(" M", " w - -")
        ));
        program.send(moves);
        assert_eq!(program.line(), result);
    }
}

#[test]
fn a_lost_game_is_resigned_after_a_while_and_a_draw_taken_when_behind() {
    // Two stones against eight.
    let mut program = start(&["xboard", "--fen", "b3b/5/2w2/wwwww/2w1w w"]);
    program.send("force\nsd 8\nplayother");
    let mut resigned = false;
    for _ in 0..30 {
        let legal = {
            program.send("hint");
            let hint = program.until("Hint: ").pop().unwrap_or_default();
            hint.trim_start_matches("Hint: ").to_owned()
        };
        program.send(&format!("usermove {legal}\nping 8"));
        let lines = program.until("pong 8");
        if lines.iter().any(|line| line == "resign") {
            resigned = true;
            break;
        }
        program.send("draw");
        let lines = sync(&mut program);
        assert!(
            lines.iter().any(|line| line == "offer draw"),
            "it is behind: {lines:?}"
        );
    }
    assert!(resigned);
}

#[test]
fn analysis_follows_the_moves() {
    let mut program = start(&["xboard"]);
    program.send("force\nanalyze");
    program.find("8 ");
    program.send("usermove c2c3");
    assert!(program.find("1 ").contains(" c4c2"));
    program.send(".");
    assert!(program.find("stat01: ").ends_with(" c4c2"));
    program.send("undo");
    program.find("8 ");
    program.send("ping 3");
    program.find("pong 3");
    program.send("exit");
    assert_eq!(
        sync(&mut program)
            .iter()
            .filter(|line| line.starts_with("move"))
            .count(),
        0
    );
}

#[test]
fn pondering_shows_and_a_hit_is_answered() {
    let mut program = start(&["xboard"]);
    program.send("sd 0\nst 1\nhard\npost");
    program.send("usermove c2c3");
    program.find("move c4xc3-c2");
    // The line of thought begins with the reply it expects.
    let line = program.find("6 ");
    let expected = line
        .split(['(', ')'])
        .nth(1)
        .expect("the expected reply")
        .to_owned();
    let mv: Move = expected.parse().expect("a move");
    let (from, to) = (mv.from(), mv.to());
    let between: String = match (from.to_string().as_str(), to.to_string().as_str()) {
        (a, b) if mv.is_capture() => {
            let middle = |i: usize| (a.as_bytes()[i] + b.as_bytes()[i]) / 2;
            format!("{}{}", middle(0) as char, middle(1) as char)
        }
        _ => panic!("White must capture on c2"),
    };
    program.send(&format!("usermove {from}{between},{between}{to}"));
    // It goes on from the depth it has reached.
    let lines = program.until("move ");
    assert!(
        !lines.iter().any(|line| line.starts_with("1 ")),
        "{lines:?}"
    );
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    let mut program = start(&["xboard"]);
    program.send("force");
    for (line, words) in [
        ("nonsense words", "Error (unknown command): nonsense words"),
        ("usermove", "Illegal move (points expected"),
        ("usermove c2c9", "Illegal move (points expected"),
        ("usermove a1a2", "Illegal move (a1 is not possible here"),
        ("usermove @@@@", "Illegal move (points expected"),
        ("usermove c2c3,c3c4", "Illegal move ("),
        (
            "setboard 5/5 w",
            "tellusererror Illegal position: bad position: 2 ranks",
        ),
        ("setboard", "tellusererror Illegal position: "),
        (
            "setboard MMMMM/MMMMM/MMM2/5/4m w",
            "tellusererror Illegal position: bad position: White has 13",
        ),
        ("level 40", "Error (needs moves, minutes"),
        ("st -3", "Error (needs seconds)"),
        ("sd x", "Error (needs a depth)"),
        ("time x", "Error (needs hundredths"),
        ("lift z9", "Error (needs a point)"),
        (
            "memory 1048576",
            "Error (option Hash: 1048576 MiB do not fit",
        ),
        ("memory -1", "Error (option Hash"),
        ("cores 0", "Error (option Threads"),
        (
            "option Nonsense=1",
            "Error (no option is called 'Nonsense')",
        ),
        ("undo", "Error (nothing to take back)"),
        ("variant normal", "Error (unsupported variant"),
    ] {
        program.send(line);
        let lines = sync(&mut program);
        assert!(
            lines.len() == 1 && lines[0].starts_with(words),
            "{line}: {lines:?}"
        );
        program.send("lift c2");
        assert_eq!(program.line(), "highlight 5/5/2Y2/5/5", "{line}");
    }
    program.send_bytes(b"\xff\x00\xfe x\n");
    assert!(program.line().starts_with("Error (unknown command): "));
    program.send(&"x".repeat(1 << 20));
    assert!(program.line().starts_with("Error (unknown command): x"));
    program.send("option UCI_ShowWDL=1\noption Clear Hash");
    assert_eq!(sync(&mut program), [""; 0]);
    program.send("analyze");
    program.close();
    let (code, _) = program.end();
    assert_eq!(code, Some(0));
}

#[test]
fn the_end_of_input_or_output_ends_it() {
    let mut program = start(&["xboard"]);
    program.send("st 1\nsd 0\ngo");
    program.close();
    let (code, lines) = program.end();
    assert_eq!(code, Some(0));
    assert!(
        lines.iter().any(|line| line.starts_with("move ")),
        "{lines:?}"
    );
    let mut program = Program::start_deaf(&["xboard"]);
    program.send("xboard\nnew\nanalyze");
    assert_eq!(program.end().0, Some(0));
}

#[test]
fn the_clock_is_kept() {
    let mut program = start(&["xboard"]);
    // Five minutes to begin with, but little is left: a share of the five minutes would be seconds.
    program.send("sd 0\nlevel 0 5 0\ntime 40\notim 30000\ngo");
    let clock = Instant::now();
    program.find("move ");
    assert!(
        clock.elapsed() < Duration::from_secs(2),
        "{:?}",
        clock.elapsed()
    );
}

#[test]
fn a_finished_game_gets_its_result_and_no_move() {
    let mut program = start(&["xboard", "--fen", "bww2/ww3/w1w2/5/5 b"]);
    program.send("go");
    let lines = sync(&mut program);
    assert_eq!(lines, ["1-0 {White wins: Black cannot move}"]);
    program.send("force\nusermove a5b5");
    assert!(
        program
            .line()
            .starts_with("Illegal move (the game is over: ")
    );
}

fn line() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "new",
        "force",
        "go",
        "playother",
        "?",
        "draw",
        "undo",
        "remove",
        "hint",
        "analyze",
        "exit",
        "hard",
        "easy",
        "post",
        "nopost",
        "computer",
        "result 1-0 {x}",
        "usermove @@@@",
        ".",
        "setboard 4m/5/1m3/m1m2/Mm3 w - - 0 1",
        "setboard 4M/5/1M3/M1M2/mM3 b",
        "setboard x",
        "usermove a1a2,a2b3,b3c3",
        "usermove c2c3",
        "level 0 0:01 0",
        "time 100",
        "variant alquerque",
        "usermove c3c2,c2b1,b1a1",
        "option MultiPV=2",
        "memory 1",
        "protover 2",
    ]);
    prop_oneof![
        4 => fixed.prop_map(str::to_owned),
        2 => "usermove [a-e][1-5][a-e][1-5](,[a-e][1-5][a-e][1-5])?",
        1 => "(lift|put|hover) [a-e][1-5]",
        1 => "[ -~]{0,20}",
    ]
    .prop_filter("the session goes on", |line| {
        !line.contains("quit") && !line.contains("ping")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_lines_leave_the_session_alive(lines in prop::collection::vec(line(), 0..40)) {
        let mut input = String::from("xboard\nnew\nmemory 1\n");
        for line in &lines {
            // Without a limit of depth a move takes a second.
            input.push_str(&format!("sd 3\n{line}\n"));
        }
        input.push_str("force\nping 99\nquit\n");
        let mut output = Vec::new();
        let session = xboard::run(Cursor::new(input.clone()), &mut output, Position::start());
        session.expect("a session ends well");
        let output = String::from_utf8(output).expect("output is UTF-8");
        prop_assert!(output.lines().any(|line| line == "pong 99"), "{}\n{}", input, output);
        prop_assert!(!output.contains("internal fault") && !output.contains("no search"), "{}", output);
    }
}
