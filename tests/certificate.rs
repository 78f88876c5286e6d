//! What the checker of certificates takes and what it refuses.

mod proofs;

use alquerque::rules::{Board, Move, PointSet};
use alquerque::solve::{Certificate, CheckError, Claim, Value, check};
use alquerque::tables::Wdl;
use proofs::{alone, far, four_stones, proven, published, tables_of, truth};

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
    let claims = proven().claims.iter();
    for claim in claims.filter(|claim| claim.value == Value::Draw) {
        let mut certificate = proven().clone();
        certificate.wins = certificate.holds.clone();
        certificate.claims = vec![Claim {
            value: Value::Win,
            ..*claim
        }];
        // What is missing gets some move, until only the circles stand against it.
        loop {
            match check(&certificate, four_stones()) {
                Err(CheckError::Cycle(_)) => {
                    cycles += 1;
                    break;
                }
                Err(CheckError::Open { code, .. }) => match board_of(code).moves().first() {
                    Some(&mv) => certificate.wins.insert(code, mv),
                    None => break,
                },
                other => panic!("{other:?} of {}", claim.position),
            };
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
