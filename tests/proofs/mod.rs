//! Proofs with tables of four stones, of positions of five and six whose values are known.

// Each test program uses a part of this.
#![allow(dead_code)]

use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::Duration;

use alquerque::rules::{Board, Position};
use alquerque::solve::{Certificate, Prover, Value};
use alquerque::tables::{Tables, Wdl, built_in};
use tempfile::TempDir;

/// Long enough for a machine with other work; a proof takes a second or two.
pub const TIME: Duration = Duration::from_secs(300);
pub const MIB: usize = 256;

pub fn alquerque(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alquerque"))
        .args(arguments)
        .output()
        .expect("the program runs")
}

pub fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// Tables of up to so many stones, from files.
pub fn tables_of(stones: &str) -> Tables {
    let dir = TempDir::new().expect("a directory");
    build_into(dir.path(), stones);
    // The files stay open when their directory is gone.
    Tables::open(dir.path()).0
}

pub fn build_into(dir: &Path, stones: &str) {
    let dir = dir.to_str().expect("a path in UTF-8");
    let built = alquerque(&["tables", "build", "--stones", stones, "--dir", dir]);
    assert!(built.status.success(), "{}", text(&built));
}

pub fn four_stones() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| tables_of("4"))
}

/// The value of a board of up to six stones, by tables of six.
pub fn truth(board: Board) -> Wdl {
    built_in::get();
    let tables = Tables::default().with_built_in();
    tables.exact(board).expect("up to six stones").wdl
}

/// Positions of five and six stones with published values.
pub fn published() -> Vec<(Position, Value)> {
    let rows = include_str!("../data/values.csv").lines();
    let rows = rows.filter(|row| !row.starts_with(['#', 'p']));
    let known = rows.map(|row| {
        let columns: Vec<&str> = row.split(',').collect();
        let value = match columns[1] {
            "win" => Value::Win,
            "draw" => Value::Draw,
            "loss" => Value::Loss,
            other => panic!("{other} is no value"),
        };
        (columns[0].parse().expect("a position"), value)
    });
    known
        .filter(|(position, _): &(Position, Value)| position.board().stones() > 4)
        .collect()
}

/// One certificate of all published positions.
pub fn proven() -> &'static Certificate {
    static PROVEN: OnceLock<Certificate> = OnceLock::new();
    PROVEN.get_or_init(|| {
        let mut prover = Prover::new(four_stones(), MIB);
        for (position, _) in published() {
            prover.settle(position, TIME);
        }
        prover.certificate().clone()
    })
}

/// A published position of each value, far from its end.
pub const FAR: [(Value, &str); 3] = [
    (Value::Win, "3b1/5/2b2/3w1/w1bw1 b 0 1"),
    (Value::Draw, "5/ww3/2b2/1w2w/5 b 0 1"),
    (Value::Loss, "1w1b1/w4/1b3/5/2w2 b 0 1"),
];

pub fn far(value: Value) -> Position {
    let (_, fen) = FAR
        .into_iter()
        .find(|(other, _)| *other == value)
        .expect("one");
    fen.parse().expect("a position")
}

/// A certificate of one claim.
pub fn alone(position: Position) -> Certificate {
    let mut prover = Prover::new(four_stones(), MIB);
    prover.settle(position, TIME);
    prover.certificate().clone()
}
