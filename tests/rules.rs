//! The numbers and positions of the rules, one by one.

use std::collections::{HashMap, HashSet};

use alquerque::rules::{
    Board, DrawReason, Game, JUMP_COUNT, LINE_COUNT, Move, Outcome, Point, Position, Side,
    Symmetry, WinReason, diagonals_at, divide, neighbours, perft, perft_parallel,
};

/// Leaves from the start at depths 1 to 13.
const LEAVES: [u64; 13] = [
    4, 5, 6, 12, 29, 109, 541, 2_730, 14_375, 83_003, 510_413, 3_307_122, 21_836_257,
];
/// The most captures in one position: thousands of paths, hundreds of results.
const CROWDED: &str = "1b3/bbbbw/1bwb1/bbbbw/1b1w1 w";

fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn moves(text: &str) -> Vec<String> {
    let moves = position(text).board().moves();
    let mut texts: Vec<String> = moves.iter().map(Move::to_string).collect();
    texts.sort();
    texts
}

fn assert_moves(text: &str, expected: &str) {
    let expected: Vec<&str> = expected.split_whitespace().collect();
    assert_eq!(moves(text), expected, "{text}");
}

fn game(text: &str, moves: &str) -> Game {
    let mut game = Game::new(position(text), 0);
    for mv in moves.split_whitespace() {
        game.play(mv.parse().unwrap())
            .unwrap_or_else(|e| panic!("{e}"));
    }
    game
}

fn outcome(text: &str) -> Option<Outcome> {
    Game::new(position(text), 0).outcome()
}

#[test]
fn perft_from_the_start_equals_the_table_to_depth_11() {
    for (depth, leaves) in (1..=11).zip(LEAVES) {
        assert_eq!(
            perft(Position::start().board(), depth),
            leaves,
            "depth {depth}"
        );
    }
}

#[test]
fn perft_on_all_threads_equals_the_table_to_depth_13() {
    for (depth, leaves) in (1..=13).zip(LEAVES) {
        let counted = perft_parallel(Position::start().board(), depth, &|| false);
        assert_eq!(counted, Some(leaves), "depth {depth}");
    }
}

#[test]
fn perft_at_depth_0_counts_the_position_itself() {
    let board = Position::start().board();
    assert_eq!(perft(board, 0), 1);
    assert_eq!(perft_parallel(board, 0, &|| false), Some(1));
}

#[test]
fn perft_of_random_positions_equals_the_reference() {
    let mut rows = 0;
    for line in include_str!("data/perft.csv").lines().skip(1) {
        let (text, counts) = line.split_once(',').unwrap();
        let board = position(text.strip_suffix(" 0 1").unwrap()).board();
        for (depth, count) in (1..).zip(counts.split(',')) {
            let leaves: u64 = count.parse().unwrap();
            assert_eq!(perft(board, depth), leaves, "{text} depth {depth}");
            assert_eq!(
                perft_parallel(board, depth, &|| false),
                Some(leaves),
                "{text} depth {depth}"
            );
            rows += 1;
        }
    }
    assert_eq!(rows, 12 * 5);
}

#[test]
fn divide_names_every_move_and_sums_up_to_perft() {
    let board = Position::start().board();
    for (depth, leaves) in (1..=9).zip(LEAVES) {
        let parts = divide(board, depth, &|| false).unwrap();
        let named: Vec<Move> = parts.iter().map(|part| part.0).collect();
        assert_eq!(named, board.moves());
        assert_eq!(parts.iter().map(|part| part.1).sum::<u64>(), leaves);
    }
}

#[test]
fn merging_moves_with_one_result_gives_the_smaller_counts() {
    // A line is a sequence of results; equal boards with equal counts may share one entry.
    let mut boards = HashMap::from([(Position::start().board(), 1u64)]);
    let mut counts = Vec::new();
    for _ in 0..10 {
        let mut next = HashMap::new();
        for (board, lines) in boards {
            let mut effects = Vec::new();
            board.effects(&mut effects);
            for effect in effects {
                *next.entry(board.after(effect)).or_default() += lines;
            }
        }
        boards = next;
        counts.push(boards.values().sum::<u64>());
    }
    assert_eq!(counts[5..], [107, 523, 2_521, 12_878, 70_759]);
}

#[test]
fn the_board_has_56_lines_80_jumps_and_13_strong_points() {
    let lines: u32 = Point::all().map(|p| neighbours(p).len()).sum();
    assert_eq!((LINE_COUNT, JUMP_COUNT), (56, 80));
    assert_eq!(lines, 2 * 56);
    assert_eq!(Point::all().filter(|&p| diagonals_at(p)).count(), 13);
    for (point, count) in [
        ("a1", 3),
        ("b1", 3),
        ("b2", 8),
        ("c1", 5),
        ("c2", 4),
        ("c3", 8),
    ] {
        let point: Point = point.parse().unwrap();
        assert_eq!(neighbours(point).len(), count, "{point}");
    }
}

#[test]
fn a_lone_stone_and_victim_have_a_jump_in_exactly_80_ways() {
    let mut jumps = 0;
    for from in Point::all() {
        for over in Point::all().filter(|&over| over != from) {
            let board = Board {
                own: from.bit(),
                other: over.bit(),
            };
            jumps += board.moves().iter().filter(|mv| mv.is_capture()).count();
        }
    }
    assert_eq!(jumps, JUMP_COUNT);
}

#[test]
fn every_symmetry_keeps_the_lines_and_all_eight_differ() {
    let mut images = HashSet::new();
    for symmetry in Symmetry::all() {
        for point in Point::all() {
            let image = symmetry.map_point(point);
            assert_eq!(neighbours(image), symmetry.map(neighbours(point)));
        }
        images.insert(
            Point::all()
                .map(|p| symmetry.map_point(p).index())
                .collect::<Vec<_>>(),
        );
    }
    assert_eq!(images.len(), 8);
}

#[test]
fn the_game_starts_with_c3_empty_and_white_on_d3_and_e3() {
    let start = Position::start();
    let points = |names: &str| -> Vec<String> {
        let mut names: Vec<String> = names.split_whitespace().map(str::to_owned).collect();
        names.sort();
        names
    };
    let stones = |side| -> Vec<String> {
        let mut names: Vec<String> = start.stones(side).map(|p| p.to_string()).collect();
        names.sort();
        names
    };
    assert_eq!(
        stones(Side::White),
        points("a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 d3 e3")
    );
    assert_eq!(
        stones(Side::Black),
        points("a5 b5 c5 d5 e5 a4 b4 c4 d4 e4 a3 b3")
    );
    assert_eq!(start.side(), Side::White);
    assert_eq!((start.quiet_plies(), start.move_number()), (0, 1));
    assert_eq!(start.to_string(), "bbbbb/bbbbb/bb1ww/wwwww/wwwww w 0 1");
    assert_eq!(start, position("bbbbb/bbbbb/bb1ww/wwwww/wwwww w"));
}

#[test]
fn the_four_first_moves_go_to_c3() {
    assert_moves("bbbbb/bbbbb/bb1ww/wwwww/wwwww w", "b2c3 c2c3 d2c3 d3c3");
}

#[test]
fn a_capture_is_compulsory() {
    assert_moves("5/4b/4w/5/w4 w", "e3e5");
}

#[test]
fn a_chain_may_not_stop_early() {
    let text = "b4/5/5/5/wb1b1 w";
    assert_moves(text, "a1c1e1");
    let stop: Move = "a1c1".parse().unwrap();
    let error = stop.check(position(text).board()).unwrap_err();
    assert_eq!(error.to_string(), "the chain must go on from c1");
}

#[test]
fn the_stone_that_began_a_chain_finishes_it() {
    assert_moves("w4/1b3/5/3b1/wb3 w", "a1c1e3 a5c3e1");
}

#[test]
fn a_chain_goes_straight_on() {
    assert_moves("5/2b2/5/2b2/2w2 w", "c1c3c5");
}

#[test]
fn two_stones_in_a_row_are_not_jumped() {
    assert_moves("b4/5/5/5/wbb2 w", "a1a2 a1b2");
}

#[test]
fn a_weak_point_has_no_diagonal() {
    assert_moves("5/5/5/2b2/1w3 w", "b1a1 b1b2 b1c1");
}

#[test]
fn a_capture_goes_backward_too() {
    assert_moves("5/2w2/2b2/5/b4 w", "c4c2");
}

#[test]
fn a_stone_on_the_last_rank_is_not_promoted() {
    assert_moves("2w2/5/5/5/4b w", "c5b4 c5b5 c5c4 c5d4 c5d5");
}

#[test]
fn a_side_that_cannot_move_has_lost() {
    let text = "bww2/ww3/w1w2/5/5 b";
    assert_moves(text, "");
    assert_eq!(
        outcome(text),
        Some(Outcome::Win(Side::White, WinReason::NoMove))
    );
}

#[test]
fn a_side_with_one_jump_left_plays_on() {
    let text = "b1w2/ww3/w1w2/5/5 b";
    assert_moves(text, "a5b5");
    assert_eq!(outcome(text), None);
}

#[test]
fn a_side_without_stones_has_lost_whoever_is_to_move() {
    let white_won = Some(Outcome::Win(Side::White, WinReason::NoStones));
    assert_eq!(outcome("5/5/5/5/w4 b"), white_won);
    assert_eq!(outcome("5/5/5/5/w4 w"), white_won);
}

#[test]
fn two_ways_around_are_two_moves_with_one_result() {
    let text = "5/5/1b3/b1b2/wb3 w";
    assert_moves(text, "a1a3c3c1a1 a1c1c3a3a1");
    let mut effects = Vec::new();
    position(text).board().effects(&mut effects);
    assert_eq!(effects.len(), 1);
    for mv in ["a1a3c3c1a1", "a1c1c3a3a1"] {
        let end = game(text, mv);
        assert_eq!(end.position().to_string(), "5/5/5/5/w4 b 0 1");
        assert_eq!(
            end.outcome(),
            Some(Outcome::Win(Side::White, WinReason::NoStones))
        );
    }
}

#[test]
fn a_crowded_position_has_3692_moves_and_244_results() {
    let board = position(CROWDED).board();
    let (mut effects, all) = (Vec::new(), board.moves());
    board.effects(&mut effects);
    assert_eq!(all.len(), 3_692);
    assert_eq!(perft(board, 1), 3_692);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 3_692);
    assert_eq!(effects.len(), 244);
    let results: HashSet<Board> = all.iter().map(|mv| board.after(mv.effect())).collect();
    let merged: HashSet<Board> = effects.iter().map(|&effect| board.after(effect)).collect();
    assert_eq!(merged.len(), 244);
    assert_eq!(merged, results);
}

#[test]
fn a_bad_position_is_refused_with_what_is_wrong() {
    for (text, wrong) in [
        (
            "wwwww/wwwww/www2/5/4b w",
            "White has 13 stones, more than 12",
        ),
        ("5/5/5/bbbbb/bbbbbbbb w", "rank 1 has more than 5 points"),
        (
            "bbbbb/bbbbb/bbb2/5/4w b",
            "Black has 13 stones, more than 12",
        ),
        ("5/5/5/5 w", "4 ranks instead of 5"),
        ("6/5/5/5/5 w", "'6' on rank 5 is not w, b or 1-5"),
        ("5/5/5/5/4x w", "'x' on rank 1 is not w, b or 1-5"),
        ("5/4/5/5/5 w", "rank 4 has 4 points instead of 5"),
        ("5/5/5/5/5 r", "the side is 'r', not w or b"),
        ("5/5/5/5/5", "needs ranks and a side"),
        (
            "5/5/5/5/5 w -1 1",
            "the plies since a capture '-1' is not a number",
        ),
        ("5/5/5/5/5 w 0 x", "the move number 'x' is not a number"),
        ("5/5/5/5/5 w 0 0", "the move number '0' is below 1"),
        (
            "5/5/5/5/5 w 0 4294967296",
            "the move number '4294967296' is too large",
        ),
        ("5/5/5/5/5 w 0 1 7", "'7' follows the move number"),
    ] {
        let error = text.parse::<Position>().unwrap_err().to_string();
        assert!(error.contains(wrong), "{text}: {error}");
    }
}

#[test]
fn both_spellings_of_a_move_are_read() {
    for (text, canonical) in [("c2-c3", "c2c3"), ("c4xc2", "c4c2"), ("d4xd2xb4", "d4d2b4")] {
        let mv: Move = text.parse().unwrap();
        assert_eq!(mv.to_string(), canonical);
    }
}

#[test]
fn the_start_of_the_game_counts_as_an_occurrence() {
    let text = "4b/5/5/5/w4 w";
    let turns = "a1a2 e5e4 a2a1 e4e5 a1a2 e5e4 a2a1";
    assert_eq!(game(text, turns).outcome(), None);
    let mut drawn = game(text, &format!("{turns} e4e5"));
    assert_eq!(drawn.outcome(), Some(Outcome::Draw(DrawReason::Repetition)));
    let late = drawn.play("a1a2".parse().unwrap()).unwrap_err();
    assert_eq!(late.to_string(), "illegal move a1a2: the game is over");
}

#[test]
fn the_same_stones_with_the_other_side_to_move_are_no_repetition() {
    let turns = "a1b1 e5e4 b1b2 e4e5 b2a1 e5d5 a1b1 d5d4 b1a1 d4e5 a1b1 e5e4 b1b2 e4e5 b2a1";
    assert_eq!(game("4b/5/5/5/w4 w", turns).outcome(), None);
}

#[test]
fn a_limit_on_plies_without_a_capture_draws_and_0_means_none() {
    for (limit, drawn) in [(0, false), (3, false), (2, true)] {
        let mut game = Game::new(position("4b/5/5/5/w4 w"), limit);
        game.play("a1a2".parse().unwrap()).unwrap();
        assert_eq!(game.outcome(), None);
        game.play("e5e4".parse().unwrap()).unwrap();
        let expected = drawn.then_some(Outcome::Draw(DrawReason::NoCapture));
        assert_eq!(game.outcome(), expected, "limit {limit}");
    }
}
