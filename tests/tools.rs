//! Playing in the terminal, annotated games, completions and the manual page: the real program.

mod common;

use std::process::Output;

use alquerque::engine::levels;
use alquerque::protocol::Record;
use common::run_with_input as run;

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_game_is_played_in_the_terminal() {
    let output = run(&["play"], b"c2c3\nposition\nundo\nposition\nquit\n");
    assert_eq!(output.status.code(), Some(0));
    let text = text(&output);
    // The only reply, then the start again.
    assert!(text.contains("Black plays c4c2."), "{text}");
    assert!(
        text.contains("bbbbb/bb1bb/bb1ww/wwbww/wwwww w 0 2"),
        "{text}"
    );
    assert!(
        text.contains("bbbbb/bbbbb/bb1ww/wwwww/wwwww w 0 1"),
        "{text}"
    );
}

#[test]
fn every_command_of_a_game_answers() {
    let input =
        b"help\nmoves\n9\nx\na1a2\nlevel 0\nlevel 7\nundo\n\xff\nboard\n2\nnew\nswap\nhint\n";
    let output = run(&["play", "--level", "1"], input);
    assert_eq!(
        output.status.code(),
        Some(0),
        "the end of the input ends the game"
    );
    let text = text(&output);
    for words in [
        "hint         what the engine would play",
        "  1 d3c3",
        "There is no move with that number",
        "'x' is not a move",
        "a1a2 is not legal: a2 is occupied",
        "A level is a number from 1 to 7.",
        "Level 7.",
        "There is nothing to take back.",
        "Black plays c4",
        "A new game.",
        "You play Black.",
        "White plays ",
        "Try ",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(levels().count(), 6, "full strength is level 7");
}

#[test]
fn a_finished_game_says_so_and_can_be_taken_back() {
    let output = run(
        &["play", "--fen", "5/4b/4w/5/w4 w"],
        b"e3e5\ne5e4\nhint\nmoves\nnew\nquit\n",
    );
    let text = text(&output);
    assert!(text.contains("White wins: Black has no stones."), "{text}");
    assert!(text.contains("The game is over"), "{text}");
    assert!(text.contains("A new game."), "{text}");
}

#[test]
fn a_blunder_is_marked_and_the_game_stays_readable() {
    // a1b1 lets c1a1 happen; a1a2 and a1b2 do not. With one stone each the rest is a draw.
    let game = "[White \"A\"]\n[FEN \"5/5/5/5/w1b2 w 0 1\"]\n\n1. a1b1 {why not} c1a1 0-1\n";
    let output = run(&["annotate", "-", "--depth", "8"], game.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let text = text(&output);
    let records = Record::parse_all(&text).expect("a game");
    let moves = &records[0].moves;
    assert_eq!(moves[0].mark, Some(4), "{text}");
    assert!(
        moves[0]
            .comment
            .starts_with("why not; lost in 1 plies after this; a1"),
        "{text}"
    );
    assert_eq!(
        (moves[1].mark, moves[1].comment.as_str()),
        (None, ""),
        "{text}"
    );
    assert_eq!(records[0].result, "0-1");
    assert_eq!(records[0].tag("White"), Some("A"));
    assert!(records[0].tag("Annotator").is_some());
}

#[test]
fn a_bad_game_is_named() {
    for (game, words) in [
        ("1. c2c3\n c4c3 *", "line 2: illegal move c4c3"),
        ("", "no game"),
        ("1. c2c3 {", "line 1: a comment is not closed"),
    ] {
        let output = run(&["annotate", "-"], game.as_bytes());
        assert_eq!(output.status.code(), Some(1), "{game}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(words), "{game}: {error}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(
        run(&["annotate", "no such file"], b"").status.code(),
        Some(1)
    );
}

#[test]
fn shells_and_the_manual_know_every_command() {
    let help = text(&run(&["--help"], b""));
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        // Deeper lines go on with a description.
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|command| !["", "help"].contains(command))
        .collect();
    assert!(commands.len() >= 9, "{commands:?}");
    let manual = text(&run(&["man"], b""));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(&run(&["completions", shell], b""));
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    for command in &commands {
        assert!(
            manual.contains(&format!(".SH \"{}\"", command.to_uppercase())),
            "{command}"
        );
    }
    assert_eq!(
        run(&["completions", "nonsense"], b"").status.code(),
        Some(2)
    );
}
