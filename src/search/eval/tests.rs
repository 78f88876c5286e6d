use proptest::prelude::*;

use super::*;
use crate::rules::{Point, PointSet, Symmetry};

/// Weights of which hardly two are equal: a mistake in a place shows.
fn uneven() -> Weights {
    let value = |place: usize| (place * 7919 % 241) as f32 - 120.0;
    Weights::rounded(&(0..len()).map(value).collect::<Vec<_>>())
}

static UNEVEN: Lazy<Evaluation> = Lazy::new(|| Evaluation::new(&uneven()));

prop_compose! {
    fn any_board()(stones in proptest::collection::vec(0..3, 25)) -> Board {
        let set = |which| {
            let taken = Point::all().zip(&stones).filter(|&(_, &stone)| stone == which);
            let points = taken.take(12).map(|(point, _)| point.bit());
            points.fold(PointSet::EMPTY, |set, point| set | point)
        };
        Board { own: set(1), other: set(2) }
    }
}

proptest! {
    #[test]
    fn all_images_of_a_board_have_one_value(board in any_board()) {
        let value = UNEVEN.value(board);
        for symmetry in Symmetry::all() {
            prop_assert_eq!(UNEVEN.value(board.mapped(symmetry)), value);
        }
    }

    #[test]
    fn the_value_is_the_sum_of_the_weights(board in any_board()) {
        let weights = uneven();
        let sum: i32 = features(board)
            .iter()
            .map(|&place| i32::from(weights.values()[place as usize]))
            .sum();
        prop_assert_eq!(UNEVEN.value(board), sum);
        prop_assert_eq!(UNEVEN.terms(board).total(), sum);
    }

    #[test]
    fn patterns_are_read_point_by_point(board in any_board()) {
        let digit = |file: usize, rank: usize| {
            let point = Point::at(file as u8, rank as u8);
            usize::from(board.own.has(point)) + 2 * usize::from(board.other.has(point))
        };
        let pattern = |point: &dyn Fn(usize, usize) -> usize| {
            let place = |at: usize| 3_usize.pow(at as u32) * point(at % 3, at / 3);
            (0..9).map(place).sum::<usize>()
        };
        let blocks = Blocks::of(board);
        prop_assert_eq!(blocks.corners(), [
            pattern(&|x, y| digit(x, y)),
            pattern(&|x, y| digit(4 - x, y)),
            pattern(&|x, y| digit(x, 4 - y)),
            pattern(&|x, y| digit(4 - x, 4 - y)),
        ]);
        prop_assert_eq!(blocks.ends(), [
            pattern(&|x, y| digit(1 + x, y)),
            pattern(&|x, y| digit(1 + x, 4 - y)),
        ]);
        prop_assert_eq!(blocks.sides().map(transposed), [
            pattern(&|x, y| digit(y, 1 + x)),
            pattern(&|x, y| digit(4 - y, 1 + x)),
        ]);
        prop_assert_eq!(blocks.centre(), pattern(&|x, y| digit(1 + x, 1 + y)));
    }
}

/// By Burnside's lemma: a diagonal keeps three points and swaps three pairs, so does a middle line;
/// quarter turns keep one point, the half turn too.
#[test]
fn classes_are_as_many_as_burnside_says() {
    let all = 3_usize.pow(9);
    let (mirror, quarter, half) = (3_usize.pow(6), 3_usize.pow(3), 3_usize.pow(5));
    let count = |kind| classes(kind).count;
    assert_eq!(count(Kind::Corner), (all + mirror) / 2);
    assert_eq!(count(Kind::Edge), (all + mirror) / 2);
    let turned = 4 * mirror + 2 * quarter + half;
    assert_eq!(count(Kind::Centre), (all + turned) / 8);
    for kind in Kind::ALL {
        let largest = classes(kind)
            .of
            .iter()
            .max()
            .map(|&class| usize::from(class));
        assert_eq!(largest, Some(count(kind) - 1), "no class is left out");
    }
}

#[test]
fn weights_are_read_as_they_were_written() {
    let weights = uneven();
    let bytes = weights.to_bytes();
    assert_eq!(Weights::parse(&bytes), Ok(weights));
    let short = Weights::parse(&bytes[1..]);
    assert!(short.is_err_and(|error| error.to_string().contains("not the weights")));
    // What does not fit into a byte is cut, material aside.
    let large = Weights::rounded(&vec![300.4; len()]);
    assert_eq!((large.values()[0], large.values()[MATERIAL]), (300, 127));
    assert_eq!(Weights::parse(&large.to_bytes()), Ok(large));
}

#[test]
fn the_shipped_weights_know_what_a_stone_is_worth() {
    let evaluation = Evaluation::shipped();
    let start = Board {
        own: PointSet::from_bits(0b11000_11111_11111),
        other: PointSet::from_bits(0b11111_11111_00011 << 10),
    };
    let fewer = Board {
        other: start.other & !Point::at(4, 4).bit(),
        ..start
    };
    let more = evaluation.value(fewer) - evaluation.value(start);
    assert!((20..300).contains(&more), "{more}");
}
