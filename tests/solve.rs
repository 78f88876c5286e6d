//! Proofs with tables of four stones, against positions of five and six whose values are known.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::Duration;

use alquerque::rules::{Board, Move, PointSet, Position, Side};
use alquerque::solve::{Certificate, CheckError, Claim, Prover, Value, check};
use alquerque::tables::{Tables, Wdl, built_in};
use proptest::prelude::*;
use tempfile::TempDir;

const TIME: Duration = Duration::from_secs(30);
const MIB: usize = 256;

fn alquerque(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alquerque"))
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// Tables of up to so many stones, from files.
fn tables_of(stones: &str) -> Tables {
    let dir = TempDir::new().expect("a directory");
    build_into(dir.path(), stones);
    // The files stay open when their directory is gone.
    Tables::open(dir.path()).0
}

fn build_into(dir: &Path, stones: &str) {
    let dir = dir.to_str().expect("a path in UTF-8");
    let built = alquerque(&["tables", "build", "--stones", stones, "--dir", dir]);
    assert!(built.status.success(), "{}", text(&built));
}

fn four_stones() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| tables_of("4"))
}

/// The value of a board of up to six stones, by tables of six.
fn truth(board: Board) -> Wdl {
    built_in::get();
    let tables = Tables::default().with_built_in();
    tables.exact(board).expect("up to six stones").wdl
}

fn value_of(wdl: Wdl) -> Value {
    match wdl {
        Wdl::Win => Value::Win,
        Wdl::Draw => Value::Draw,
        Wdl::Loss => Value::Loss,
    }
}

/// Positions of five and six stones with published values.
fn published() -> Vec<(Position, Value)> {
    let rows = include_str!("data/values.csv").lines();
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
fn proven() -> &'static Certificate {
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
const FAR: [(Value, &str); 3] = [
    (Value::Win, "3b1/5/2b2/3w1/w1bw1 b 0 1"),
    (Value::Draw, "5/ww3/2b2/1w2w/5 b 0 1"),
    (Value::Loss, "1w1b1/w4/1b3/5/2w2 b 0 1"),
];

fn far(value: Value) -> Position {
    let (_, fen) = FAR
        .into_iter()
        .find(|(other, _)| *other == value)
        .expect("one");
    fen.parse().expect("a position")
}

/// A certificate of one claim.
fn alone(position: Position) -> Certificate {
    let mut prover = Prover::new(four_stones(), MIB);
    prover.settle(position, TIME);
    prover.certificate().clone()
}

fn is_refused(certificate: &Certificate) -> bool {
    check(certificate, four_stones()).is_err()
}

#[test]
fn published_values_are_proven_with_tables_of_four_stones() {
    let claims: Vec<Claim> = published()
        .into_iter()
        .map(|(position, value)| Claim { position, value })
        .collect();
    for value in [Value::Win, Value::Draw, Value::Loss] {
        let count = claims.iter().filter(|claim| claim.value == value).count();
        assert!(count >= 2, "{count} with {value}");
    }
    assert_eq!(proven().claims, claims);
    let checked = check(proven(), four_stones()).expect("a proof");
    assert!(
        checked.positions > 100 && checked.lookups > 0,
        "{checked:?}"
    );
}

/// Boards of five and six stones, at least one of each side.
fn five_or_six() -> impl Strategy<Value = Board> {
    proptest::sample::subsequence((0..25).collect::<Vec<u32>>(), 5..=6)
        .prop_shuffle()
        .prop_flat_map(|points| (1..points.len(), Just(points)))
        .prop_map(|(own, points)| {
            let set = |points: &[u32]| PointSet::from_bits(points.iter().map(|p| 1 << p).sum());
            Board {
                own: set(&points[..own]),
                other: set(&points[own..]),
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_position_of_six_stones_gets_its_value_and_a_proof(board in five_or_six()) {
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
fn the_bounds_of_a_drawn_position_are_proven_too() {
    let mut certificate = proven().clone();
    certificate
        .claims
        .retain(|claim| claim.value == Value::Draw);
    for bound in [Value::AtLeastDraw, Value::AtMostDraw] {
        certificate
            .claims
            .iter_mut()
            .for_each(|claim| claim.value = bound);
        check(&certificate, four_stones()).expect("a proof");
    }
}

#[test]
fn no_false_claim_passes() {
    let false_claims = |value| match value {
        Value::Win => vec![Value::Loss, Value::Draw, Value::AtMostDraw],
        Value::Loss => vec![Value::Win, Value::Draw, Value::AtLeastDraw],
        _ => vec![Value::Win, Value::Loss],
    };
    for (position, value) in published() {
        for value in false_claims(value) {
            let mut certificate = proven().clone();
            certificate.claims = vec![Claim { position, value }];
            assert!(is_refused(&certificate), "{position} {value}");
        }
    }
}

#[test]
fn every_position_of_a_proof_is_needed() {
    for wanted in [Value::Win, Value::Draw, Value::Loss] {
        let position = far(wanted);
        let whole = alone(position);
        assert!(!is_refused(&whole));
        for (&code, _) in whole.wins.iter().chain(&whole.holds) {
            let mut less = whole.clone();
            if less.wins.remove(&code).is_none() {
                less.holds.remove(&code);
            }
            match check(&less, four_stones()) {
                Err(CheckError::Open { code: open, .. }) => assert_eq!(open, code),
                other => panic!("{other:?} without {code:x}, {wanted}"),
            }
        }
    }
}

/// Puts another move into each position in turn and says how many such proofs were refused.
fn with_other_moves(whole: &Certificate, is_wrong: impl Fn(Board, Move) -> bool) -> usize {
    let mut refused = 0;
    for (holding, moves) in [(false, &whole.wins), (true, &whole.holds)] {
        for &code in moves.keys() {
            let board = board_of(code);
            let wrong = all_pairs().into_iter().find(|&mv| is_wrong(board, mv));
            let Some(mv) = wrong else { continue };
            let mut other = whole.clone();
            let moves = if holding {
                &mut other.holds
            } else {
                &mut other.wins
            };
            moves.insert(code, mv);
            assert!(is_refused(&other), "{mv} in {code:x}");
            refused += 1;
        }
    }
    refused
}

fn board_of(code: u64) -> Board {
    Board {
        own: PointSet::from_bits(code as u32 & PointSet::ALL.bits()),
        other: PointSet::from_bits((code >> 25) as u32),
    }
}

/// Every pair of different points as a move, sensible or not.
fn all_pairs() -> Vec<Move> {
    let points: Vec<_> = PointSet::ALL.into_iter().collect();
    let pairs = points
        .iter()
        .flat_map(|&a| points.iter().map(move |&b| [a, b]));
    pairs
        .filter(|[a, b]| a != b)
        .filter_map(|pair| Move::from_path(&pair))
        .collect()
}

#[test]
fn wrong_moves_are_refused() {
    for wanted in [Value::Win, Value::Draw] {
        let position = far(wanted);
        let whole = alone(position);
        let illegal = |board: Board, mv: Move| mv.check(board).is_err();
        let positions = whole.wins.len() + whole.holds.len();
        assert_eq!(with_other_moves(&whole, illegal), positions);
        // Legal, but it gives the win or the draw away.
        let spoils = |board: Board, mv: Move| {
            mv.check(board).is_ok()
                && match wanted {
                    Value::Win => truth(board.after(mv.effect())) != Wdl::Loss,
                    _ => truth(board.after(mv.effect())) == Wdl::Win,
                }
        };
        assert!(with_other_moves(&whole, spoils) > 0);
    }
}

#[test]
fn to_go_in_circles_is_to_hold_but_not_to_win() {
    let mut cycles = 0;
    for claim in proven()
        .claims
        .iter()
        .filter(|claim| claim.value == Value::Draw)
    {
        let mut certificate = proven().clone();
        certificate.wins = certificate.holds.clone();
        certificate.claims = vec![Claim {
            value: Value::Win,
            ..*claim
        }];
        match check(&certificate, four_stones()) {
            Err(CheckError::Cycle(_)) => cycles += 1,
            Err(CheckError::Open { .. }) => {}
            other => panic!("{other:?} of {}", claim.position),
        }
    }
    assert!(cycles > 0);
}

#[test]
fn tables_that_are_too_small_are_refused() {
    let three = tables_of("3");
    let found = check(proven(), &three);
    assert!(
        matches!(
            found,
            Err(CheckError::Tables {
                needed: 4,
                covered: 3
            })
        ),
        "{found:?}"
    );
    // A certificate cannot talk its way around that.
    let mut certificate = proven().clone();
    certificate.tables = 3;
    let found = check(&certificate, &three);
    assert!(matches!(found, Err(CheckError::Open { .. })), "{found:?}");
}

#[test]
fn a_certificate_without_a_claim_is_none() {
    let mut certificate = proven().clone();
    certificate.claims.clear();
    assert!(matches!(
        check(&certificate, four_stones()),
        Err(CheckError::NoClaim)
    ));
}

#[test]
fn a_file_comes_back_as_it_was() {
    let mut file = Vec::new();
    proven().write(&mut file).expect("memory");
    let read = Certificate::read(&file[..]).expect("a certificate");
    assert_eq!(read.claims, proven().claims);
    assert_eq!((&read.wins, &read.holds), (&proven().wins, &proven().holds));
    assert_eq!(read.tables, 4);
}

#[test]
fn garbage_is_refused_by_its_line() {
    let cases = [
        ("alquerque certificate 2", 1, "begins with"),
        ("", 1, "begins with"),
        ("alquerque certificate 1\nnonsense", 2, "two words"),
        ("alquerque certificate 1\nwon 3 a1a2", 2, "neither tables"),
        (
            "alquerque certificate 1\ntables four",
            2,
            "'four' is no number",
        ),
        (
            "alquerque certificate 1\ntables 4\nclaim wins",
            3,
            "needs a position",
        ),
        (
            "alquerque certificate 1\nclaim rules 5/5/5/5/4w w",
            2,
            "'rules' is no claim",
        ),
        ("alquerque certificate 1\nclaim wins 5/5/5 w", 2, "rank"),
        (
            "alquerque certificate 1\nwin 4000000000000 a1a2",
            2,
            "not the code",
        ),
        (
            "alquerque certificate 1\nhold 2000001 a1a2",
            2,
            "not the code",
        ),
        ("alquerque certificate 1\nhold 1 z9a2", 2, "not a move"),
        (
            "alquerque certificate 1\nwin 1 a1a2\nwin 1 a1b1",
            3,
            "stands twice",
        ),
    ];
    for (file, line, fault) in cases {
        let file = if file.is_empty() { "\n" } else { file };
        let error = Certificate::read(file.as_bytes())
            .expect_err(file)
            .to_string();
        assert!(
            error.starts_with(&format!("line {line}: ")) && error.contains(fault),
            "{file:?}: {error}"
        );
    }
    assert!(Certificate::read(&b"alquerque certificate 1\n\xff\xfe 1\n"[..]).is_err());
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
