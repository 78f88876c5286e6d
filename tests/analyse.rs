//! Scripted analysis and drawings: the real program, its table, its JSON, its errors.

mod common;

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::run_with_input as run;
use serde_json::Value;

fn records(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    let record = |line: &str| serde_json::from_str(line).expect("each line is a JSON object");
    text.lines().map(record).collect()
}

#[test]
fn json_has_one_object_for_each_line_and_errors_with_their_numbers() {
    let lines = b"startpos\n\n# a comment\nrubbish\n5/4b/4w/5/w4 w\r\nbww2/ww3/w1w2/5/5 b\n\
        c2c3 e5e4\nwwwww/wwwww/www2/5/4b w\n\xff\x00\n5/5/1b3/b1b2/wb3 w moves a1a3c3c1a1";
    let output = run(&["analyse", "--json", "--depth", "6"], lines);
    assert_eq!(
        output.status.code(),
        Some(1),
        "a bad line shows in the exit code"
    );
    assert!(output.stderr.is_empty(), "no progress in a pipe");
    let records = records(&output);
    let numbers: Vec<u64> = records.iter().filter_map(|r| r["line"].as_u64()).collect();
    assert_eq!(numbers, [1, 4, 5, 6, 7, 8, 9, 10]);
    for (index, words) in [
        (1, "rubbish"),
        (4, "e4 is occupied"),
        (5, "13 stones"),
        (6, "not a move"),
    ] {
        let error = records[index]["error"].as_str().unwrap_or_default();
        assert!(error.contains(words), "{}", records[index]);
        assert!(records[index].get("score").is_none());
    }
    assert_eq!(records[0]["depth"], 6);
    assert_eq!(records[0]["value"], Value::Null);
    assert!(records[0]["score"]["cp"].is_i64());
    // The only legal move takes the last stone.
    assert_eq!(records[2]["bestmove"], "e3e5");
    assert_eq!(records[2]["value"], "win");
    assert_eq!(records[2]["plies"], 1);
    assert_eq!(records[2]["score"]["mate"], 1);
    assert_eq!(records[3]["value"], "loss");
    assert_eq!(records[3]["bestmove"], Value::Null);
    assert_eq!(records[7]["result"], "White wins: Black has no stones");
}

#[test]
fn what_it_claims_of_small_positions_is_true() {
    let table = include_str!("data/values.csv");
    let known: Vec<Vec<&str>> = table
        .lines()
        .skip(2)
        .map(|line| line.split(',').collect())
        .collect();
    let input: String = known
        .iter()
        .map(|fields| format!("{}\n", fields[0]))
        .collect();
    let output = run(&["analyse", "--json", "--depth", "14"], input.as_bytes());
    let records = records(&output);
    assert_eq!(records.len(), known.len());
    let mut claims = 0;
    for (record, fields) in records.iter().zip(&known) {
        // Not every end is within reach, but what is claimed must be right.
        if record["value"] != Value::Null {
            assert_eq!(record["value"], fields[1], "{fields:?}");
            claims += 1;
        }
    }
    assert!(claims >= 10, "only {claims} values found");
}

#[test]
fn results_do_not_depend_on_the_number_of_jobs() {
    let lines = b"c2c3\nc2c3 c4c2\nd2c3\nstartpos\n";
    let found = |jobs: &str| {
        let arguments = [
            "analyse",
            "--json",
            "--depth",
            "9",
            "--jobs",
            jobs,
            "--multipv",
            "2",
        ];
        let output = run(&arguments, lines);
        assert_eq!(output.status.code(), Some(0));
        let mut records = records(&output);
        records.iter_mut().for_each(|r| r["time_ms"] = Value::Null);
        records
    };
    let serial = found("1");
    assert_eq!(serial.len(), 4);
    let count = |index: usize| serial[index]["lines"].as_array().map(Vec::len);
    assert_eq!(count(0), Some(1), "one legal reply, one line");
    assert_eq!(count(3), Some(2));
    assert_eq!(serial, found("3"));
}

#[test]
fn people_get_a_table_and_a_board() {
    let output = run(&["analyse", "c2c3 c4c2", "--depth", "5"], b"");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.starts_with("5  b---b---b---b---b\n   | \\ | / |"),
        "{text}"
    );
    assert!(text.contains("score  depth"), "{text}");
    let row = text.lines().last();
    assert!(
        row.is_some_and(|line| line.contains(" c1c3 a3c1 ")),
        "{text}"
    );
    let failed = run(&["analyse", "c2c9"], b"");
    assert_eq!(failed.status.code(), Some(1));
    let text = String::from_utf8_lossy(&failed.stdout);
    assert!(text.contains("1  error: illegal move c2c9"), "{text}");
}

#[test]
fn wrong_arguments_are_named() {
    for (code, arguments) in [
        (2, &["analyse", "--depth", "0"][..]),
        (2, &["analyse", "--file", "a", "startpos"]),
        (2, &["analyse", "--option", "Hash"]),
        (1, &["analyse", "--file", "no such file"]),
        (1, &["analyse", "--option", "Nonsense=1"]),
        (1, &["analyse", "--option", "Hash=0"]),
    ] {
        let output = run(arguments, b"");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn a_closed_output_ends_it_although_the_input_goes_on() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_alquerque"))
        .args(["analyse", "--json", "--depth", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let sent = stdin.write_all(b"startpos\nstartpos\n");
    sent.expect("it is listening");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the child can be asked") {
            break Some(status);
        }
        if start.elapsed() > Duration::from_secs(20) {
            break None;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let _ = child.kill();
    assert_eq!(status.and_then(|status| status.code()), Some(0));
}

#[test]
fn drawings_show_stones_lines_last_move_and_arrows() {
    let text = |arguments: &[&str]| {
        let output = run(arguments, b"");
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let moves = ["d", "--moves", "c2c3", "c4c2", "--svg", "-"];
    let drawing = text(&[&moves[..], &["--arrow", "c1c3", "--arrow", "b1c2"]].concat());
    // 56 lines between neighbours, 12 stones less one.
    assert_eq!(drawing.matches("<line ").count(), 56);
    assert_eq!(drawing.matches("class=\"white\"").count(), 11);
    assert_eq!(drawing.matches("class=\"black\"").count(), 12);
    assert_eq!(drawing.matches("class=\"arrow\"").count(), 2);
    assert_eq!(drawing.matches("class=\"last-move\"").count(), 1);
    let plain = text(&["d", "--moves", "c2c3", "--svg", "-", "--plain"]);
    assert!(!plain.contains("class=\"last-move\""));
    let file = std::env::temp_dir().join(format!("alquerque-{}.svg", std::process::id()));
    text(&["d", "--svg", file.to_str().expect("a plain path")]);
    let written = fs::read_to_string(&file).expect("the file was written");
    let _ = fs::remove_file(&file);
    assert!(written.starts_with("<svg ") && written.ends_with("</svg>\n"));
    for (code, arguments) in [
        (1, &["d", "--moves", "a1a2"][..]),
        (1, &["d", "--svg", "/no/such/directory/x.svg"]),
        (2, &["d", "--arrow", "c2c3"]),
    ] {
        assert_eq!(
            run(arguments, b"").status.code(),
            Some(code),
            "{arguments:?}"
        );
    }
}
