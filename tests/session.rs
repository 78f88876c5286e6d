//! Random commands and random bytes, fed to a session inside this process.

use std::io::Cursor;

use alquerque::protocol::run;
use proptest::prelude::*;

/// What a session prints for this input.
fn replies(input: &[u8]) -> String {
    let mut output = Vec::new();
    run(Cursor::new(input.to_vec()), &mut output).expect("a session ends well");
    String::from_utf8(output).expect("output is UTF-8")
}

fn count(text: &str, start: &str) -> usize {
    text.lines().filter(|line| line.starts_with(start)).count()
}

/// Lines that are no accepted `go`.
fn other_line() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "uci",
        "ugi",
        "isready",
        "ucinewgame",
        "stop",
        "ponderhit",
        "d",
        "eval",
        "help",
        "wait",
        "perft 3",
        "go perft 4",
        "position startpos",
        "position startpos moves c2c3 c4c2",
        "position startpos moves c2c3 c2c3",
        "position fen b4/5/5/5/wb1b1 w",
        "position fen 5/5/5/5/4b w",
        "position fen 5/5/5/5 w",
        "position",
        "query result",
        "query gameover",
        "query islegal a1a2",
        "query",
        "setoption name Threads value 2",
        "setoption name MultiPV value 3",
        "setoption name Hash value 2",
        "setoption name Hash",
        "setoption name No Capture Limit value 4",
        "setoption name Clear Hash",
        "debug on",
        "go depth -1",
        "go nodes x",
        "go searchmoves",
        "go movetime 99999999999999",
        "",
        "setoption name UCI_ShowWDL value true",
        "setoption name Contempt value -40",
    ]);
    prop_oneof![4 => fixed.prop_map(str::to_owned), 1 => "[a-z0-9 ]{0,30}"].prop_filter(
        "an accepted go is made elsewhere",
        |line| {
            let words: Vec<&str> = line.split(' ').collect();
            !words.contains(&"quit") && !words.contains(&"bench") && !words.contains(&"perft")
                || line == "perft 3"
                || line == "go perft 4"
        },
    )
}

/// Lines with a `go` that is accepted in any position.
fn go_line() -> impl Strategy<Value = String> {
    let limit = prop_oneof![
        (1u32..5).prop_map(|n| format!("depth {n}")),
        (1u32..2000).prop_map(|n| format!("nodes {n}")),
        (0u32..8).prop_map(|n| format!("movetime {n}")),
        (1u32..50).prop_map(|n| format!("wtime {n} btime {n} winc 1 binc 1")),
        (1u32..2).prop_map(|n| format!("mate {n}")),
    ];
    (limit, "[XYZ]{0,3}").prop_map(|(limit, noise)| format!("go {noise} {limit}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_accepted_go_gets_one_bestmove(
        lines in prop::collection::vec(
            prop_oneof![
                3 => other_line().prop_map(|line| (false, line)),
                1 => go_line().prop_map(|line| (true, line)),
            ],
            0..40,
        ),
    ) {
        let mut input = String::new();
        for (_, line) in &lines {
            // With `wait` no go is refused because another is running.
            input.push_str(&format!("{line}\nwait\n"));
        }
        let output = replies(input.as_bytes());
        let accepted = lines.iter().filter(|(go, _)| *go).count();
        prop_assert_eq!(count(&output, "bestmove "), accepted, "{}\n{}", input, output);
        prop_assert!(!output.lines().any(|line| line.ends_with(' ')), "{}", output);
        prop_assert_eq!(count(&output, "info string error: internal"), 0);
    }

    #[test]
    fn commands_during_searches_never_cost_or_add_an_answer(
        lines in prop::collection::vec(prop_oneof![other_line(), go_line(),
            Just("go infinite".to_owned()), Just("go ponder depth 3".to_owned())], 0..40),
    ) {
        let output = replies(lines.join("\n").as_bytes());
        let goes = lines.iter().filter(|line| line.starts_with("go ")).count();
        let errors = count(&output, "info string error: ");
        let perfts = lines.iter().filter(|line| line.contains("perft")).count();
        let answers = count(&output, "bestmove ");
        // Every go is answered by a bestmove, an error or a perft.
        prop_assert!(answers <= goes && goes <= answers + errors + perfts, "{}", output);
        prop_assert_eq!(count(&output, "info string error: internal"), 0);
    }

    #[test]
    fn any_bytes_leave_the_session_alive(
        lines in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..20),
    ) {
        let mut input = lines.join(&b'\n');
        input.extend_from_slice(b"\nstop\nwait\nisready");
        let output = replies(&input);
        prop_assert_eq!(output.lines().last(), Some("readyok"));
    }
}

#[test]
fn quit_ends_a_session_with_lines_left() {
    assert_eq!(replies(b"quit\nisready\n"), "");
    assert_eq!(replies(b"isready\r\nquit\nisready"), "readyok\n");
}
