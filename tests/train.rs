//! Training and measuring the evaluation, with the real program.

mod common;

use std::fs;
use std::path::Path;
use std::process::Output;

use common::run_with_input;
use tempfile::TempDir;

fn run(arguments: &[&str]) -> Output {
    run_with_input(arguments, b"")
}

fn train(out: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["train", "--stones", "6", "--exact", "2000", "--games", "20"];
    arguments.extend(["--rounds", "1", "--nodes", "100", "--side-nodes", "50"]);
    arguments.extend(["--out", out.to_str().expect("a name")]);
    arguments.extend(more);
    run(&arguments)
}

#[test]
fn the_same_command_makes_the_same_file() {
    let dir = TempDir::new().expect("a directory");
    let file = |name: &str| dir.path().join(name);
    let made = |name: &str, more: &[&str]| {
        let output = train(&file(name), more);
        assert!(output.status.success(), "{output:?}");
        fs::read(file(name)).expect("a file")
    };
    let first = made("a", &["--threads", "1"]);
    assert_eq!(
        first.len() as u64,
        fs::metadata("src/search/eval/weights.bin")
            .expect("the shipped weights")
            .len()
    );
    assert!(first == made("b", &["--threads", "2"]));
    assert!(first != made("c", &["--seed", "2"]));
}

#[test]
fn missing_tables_and_places_are_named() {
    let dir = TempDir::new().expect("a directory");
    let out = dir.path().join("weights");
    let output = train(&out, &["--stones", "7"]);
    assert_eq!(output.status.code(), Some(2), "one --stones only");
    let nowhere = dir.path().join("no").join("where");
    let output = train(&nowhere, &[]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("where: "), "{text}");
    let output = run(&["train", "--out", out.to_str().expect("a name")]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        text.contains("up to 6 stones, training wants 10") && text.contains("tables build"),
        "{text}"
    );
    assert!(!out.exists(), "nothing was written");
}

/// How well the shipped evaluation knows positions that the tables in memory know.
#[test]
fn the_evaluation_predicts_most_values() {
    let output = run(&[
        "accuracy",
        "--eval",
        "--stones",
        "5-6",
        "--positions",
        "20000",
        "--json",
    ]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 2);
    for (line, stones) in lines.iter().zip([5, 6]) {
        assert_eq!(line["stones"], stones);
        let counts = line["counts"].as_array().expect("rows");
        let cell = |row: usize, column: usize| counts[row][column].as_u64().expect("a count");
        let all: u64 = (0..9).map(|i| cell(i / 3, i % 3)).sum();
        assert_eq!(all, 20_000);
        let right = (0..3).map(|i| cell(i, i)).sum::<u64>() as f64 / 20_000.0;
        let share = line["share"].as_f64().expect("a share");
        assert!((share - right).abs() < 1e-9);
        assert!(share > 0.9, "{line}");
    }
    let people = run(&[
        "accuracy",
        "--eval",
        "--stones",
        "5-5",
        "--positions",
        "1000",
    ]);
    let text = String::from_utf8_lossy(&people.stdout).into_owned();
    assert!(text.starts_with("5 stones: the value of 9"), "{text}");
    let both = run(&["accuracy", "--eval", "--nodes", "5"]);
    assert_eq!(both.status.code(), Some(2));
    let unknown = run(&["accuracy", "--eval", "--stones", "7-8"]);
    assert_eq!(unknown.status.code(), Some(1));
}
