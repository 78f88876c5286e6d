//! What must hold in every position, and an independent reading of the rules to compare with.

mod common;

use std::collections::{HashMap, HashSet};

use alquerque::rules::{
    Board, DrawReason, Effect, Game, Move, Outcome, Point, PointSet, Position, Symmetry, perft,
    toggle_key,
};
use proptest::prelude::*;
use proptest::sample::Index;

use common::naive;

fn texts(moves: &[Move]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(Move::to_string).collect();
    texts.sort();
    texts
}

fn naive_moves(board: Board) -> Vec<String> {
    let mut grid = ['.'; 25];
    board.own.for_each(|p| grid[p.index()] = 'o');
    board.other.for_each(|p| grid[p.index()] = 'x');
    naive::moves(&grid)
}

/// Up to twelve stones a side anywhere: far from what games reach.
fn scattered() -> impl Strategy<Value = Board> {
    let order = Just(Point::all().collect::<Vec<_>>()).prop_shuffle();
    (order, 0usize..=12, 0usize..=12).prop_map(|(order, own, other)| Board {
        own: order[..own].iter().copied().collect(),
        other: order[own..own + other].iter().copied().collect(),
    })
}

fn played() -> impl Strategy<Value = Board> {
    prop::collection::vec(any::<Index>(), 0..60).prop_map(|choices| {
        let mut board = Position::start().board();
        for choice in choices {
            let moves = board.moves();
            if moves.is_empty() {
                break;
            }
            board = board.after(choice.get(&moves).effect());
        }
        board
    })
}

fn boards() -> impl Strategy<Value = Board> {
    prop_oneof![scattered(), played()]
}

fn position_text(board: Board, side: char, quiet: u32, number: u32) -> String {
    let (own, other) = if side == 'w' { ('w', 'b') } else { ('b', 'w') };
    let rank = |rank: u8| -> String {
        let letter = |file| match Point::at(file, rank) {
            p if board.own.has(p) => own,
            p if board.other.has(p) => other,
            _ => '1',
        };
        (0..5).map(letter).collect()
    };
    let ranks: Vec<String> = (0..5).rev().map(rank).collect();
    format!("{} {side} {quiet} {number}", ranks.join("/"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn moves_equal_those_of_a_naive_generator(board in boards()) {
        prop_assert_eq!(texts(&board.moves()), naive_moves(board));
    }

    #[test]
    fn exactly_the_generated_paths_are_legal(board in boards()) {
        let legal: HashSet<String> = naive_moves(board).into_iter().collect();
        let mut paths: Vec<Vec<Point>> = Vec::new();
        for from in Point::all() {
            paths.extend(Point::all().map(|to| vec![from, to]));
        }
        for mv in board.moves().iter().take(60) {
            let path = mv.path();
            paths.push(path.to_vec());
            paths.extend((2..path.len()).map(|n| path[..n].to_vec()));
            for point in Point::all() {
                paths.push([path, &[point]].concat());
                for n in 0..path.len() {
                    let mut changed = path.to_vec();
                    changed[n] = point;
                    paths.push(changed);
                }
            }
        }
        for mv in paths.iter().filter_map(|path| Move::from_path(path)) {
            prop_assert_eq!(mv.check(board).is_ok(), legal.contains(&mv.to_string()), "{}", mv);
        }
    }

    #[test]
    fn effects_are_the_different_results_of_the_moves(board in boards()) {
        let mut effects: Vec<Effect> = Vec::new();
        board.effects(&mut effects);
        let merged: HashSet<Board> = effects.iter().map(|&e| board.after(e)).collect();
        let results: HashSet<Board> = board.moves().iter().map(|m| board.after(m.effect())).collect();
        prop_assert_eq!(merged.len(), effects.len());
        prop_assert_eq!(merged, results);
    }

    #[test]
    fn a_key_kept_move_by_move_equals_the_key_afresh(
        start in boards(), choices in prop::collection::vec(any::<Index>(), 1..60)
    ) {
        let (mut board, mut key) = (start, start.key());
        for choice in choices {
            let moves = board.moves();
            if moves.is_empty() { break; }
            let effect = choice.get(&moves).effect();
            key = toggle_key(key, effect);
            board = board.after(effect);
            prop_assert_eq!(key, board.key());
        }
    }

    #[test]
    fn mirror_images_have_the_same_perft(board in boards()) {
        let leaves = perft(board, 3);
        for symmetry in Symmetry::all() {
            prop_assert_eq!(perft(board.mapped(symmetry), 3), leaves);
        }
    }

    #[test]
    fn positions_and_moves_survive_their_text(
        board in boards(), black in any::<bool>(), quiet in any::<u32>(), number in 1u32..
    ) {
        let text = position_text(board, if black { 'b' } else { 'w' }, quiet, number);
        let position: Position = text.parse().unwrap();
        prop_assert_eq!(position.board(), board);
        prop_assert_eq!(position.to_string().parse::<Position>().unwrap(), position);
        for mv in board.moves() {
            prop_assert_eq!(mv.to_string().parse::<Move>().unwrap(), mv);
        }
    }

    #[test]
    fn a_game_is_drawn_at_the_third_occurrence_and_not_before(
        few in 1usize..=2, choices in prop::collection::vec(any::<Index>(), 200)
    ) {
        // Few stones, far apart: repetitions come soon.
        let corner: PointSet = Point::all().take(few).collect();
        let start = position_text(Board { own: corner, other: Point::at(4, 4).bit() }, 'w', 0, 1);
        let mut game = Game::new(start.parse().unwrap(), 0);
        let mut seen: HashMap<String, u32> = HashMap::new();
        for choice in choices {
            let text = game.position().to_string();
            let stones_and_side: Vec<&str> = text.split(' ').take(2).collect();
            let count = seen.entry(stones_and_side.join(" ")).or_default();
            *count += 1;
            let drawn = game.outcome() == Some(Outcome::Draw(DrawReason::Repetition));
            prop_assert_eq!(drawn, *count == 3);
            if game.outcome().is_some() { break; }
            let moves = game.position().board().moves();
            game.play(*choice.get(&moves)).unwrap();
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(bytes in prop::collection::vec(any::<u8>(), 0..80), near in "[a-ex1-5wb/ é-]{0,40}") {
        for text in [String::from_utf8_lossy(&bytes).into_owned(), near] {
            let _ = text.parse::<Position>();
            let _ = text.parse::<Move>();
        }
    }
}
