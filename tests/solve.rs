//! Values that the prover finds with tables of four stones, against those that are known.

#[path = "common/boards.rs"]
mod boards;
mod proofs;

use std::fs;
use std::time::Duration;

use alquerque::rules::{Position, Side};
use alquerque::solve::{Prover, Value, check};
use alquerque::tables::Wdl;
use boards::boards;
use proofs::{MIB, TIME, alquerque, far, four_stones, text, truth};
use proptest::prelude::*;
use tempfile::TempDir;

fn value_of(wdl: Wdl) -> Value {
    match wdl {
        Wdl::Win => Value::Win,
        Wdl::Draw => Value::Draw,
        Wdl::Loss => Value::Loss,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_position_of_six_stones_gets_its_value_and_a_proof(board in boards(5..=6)) {
        let mut prover = Prover::new(four_stones(), MIB);
        let position = Position::from_board(board, Side::White);
        let proof = prover.settle(position, TIME);
        prop_assert_eq!(proof.value, Some(value_of(truth(board))));
        prop_assert!(check(prover.certificate(), four_stones()).is_ok());
    }
}

#[test]
fn without_time_or_memory_nothing_is_claimed() {
    for (mib, time) in [(MIB, Duration::ZERO), (0, TIME)] {
        let mut prover = Prover::new(four_stones(), mib);
        assert_eq!(prover.settle(Position::start(), time).value, None);
        assert!(prover.certificate().claims.is_empty());
    }
}

#[test]
fn the_program_solves_and_checks() {
    let dir = TempDir::new().expect("a directory");
    let tables = dir.path().to_str().expect("a path in UTF-8");
    let path = dir.path().join("proof");
    let file = path.to_str().expect("a path in UTF-8");
    for value in [Value::Win, Value::Draw, Value::Loss] {
        let position = far(value);
        let fen = position.to_string();
        let solved = alquerque(&[
            "solve",
            "--stones",
            "4",
            "--dir",
            tables,
            "--fen",
            &fen,
            "--certificate",
            file,
        ]);
        let said = format!("{fen}: the side to move {value}");
        assert!(text(&solved).contains(&said), "{}", text(&solved));
        let checked = alquerque(&["certificate", "check", file, "--dir", tables]);
        assert!(checked.status.success());
        let proven = format!("proven: {said}\n");
        assert!(text(&checked).contains(&proven), "{}", text(&checked));
    }
    // Without its last line it is still a certificate, but proves nothing.
    let whole = fs::read_to_string(&path).expect("a file");
    let (less, _) = whole.trim_end().rsplit_once('\n').expect("lines");
    fs::write(&path, format!("{less}\n")).expect("a file");
    let checked = alquerque(&["certificate", "check", file, "--dir", tables]);
    assert!(!checked.status.success());
    assert!(text(&checked).contains("not a proof"), "{}", text(&checked));
}
