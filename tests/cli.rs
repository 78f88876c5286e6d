//! The command line of the real program.

use std::process::{Command, Output};

fn command_line(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alquerque"))
        .args(arguments)
        .output()
        .expect("the program runs")
}

#[test]
fn bench_counts_the_same_nodes_twice() {
    let nodes = || {
        let output = command_line(&["bench"]);
        assert!(output.status.success());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.ends_with(" nps\n"), "{text}");
        text.split(' ').next().map(str::to_owned)
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn the_command_line_does_what_it_says() {
    let perft = command_line(&["perft", "--depth", "8", "--threads", "2"]);
    assert_eq!(perft.stdout, b"Nodes searched: 2730\n");
    let divide = command_line(&[
        "perft",
        "--depth",
        "1",
        "--divide",
        "--fen",
        "5/4b/4w/5/w4 w",
    ]);
    assert_eq!(divide.stdout, b"e3e5: 1\n\nNodes searched: 1\n");
    let drawing = command_line(&["d"]);
    assert!(String::from_utf8_lossy(&drawing.stdout).contains("3  b---b---.---w---w"));
    assert_eq!(command_line(&["--help"]).status.code(), Some(0));
    for wrong in [
        &["d", "--fen", "5/5 w"][..],
        &["perft"],
        &["perft", "--depth", "-1"],
        &["x"],
    ] {
        assert_eq!(command_line(wrong).status.code(), Some(2), "{wrong:?}");
    }
}
