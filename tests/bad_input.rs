//! Whatever is wrong is named, and changes nothing.

mod common;

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
