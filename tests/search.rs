//! The search against facts from outside: known values, plain minimax, the rules.

use std::time::{Duration, Instant};

use alquerque::rules::{Game, Position};
use alquerque::search::{
    BestMove, Bound, Clock, Evaluation, Info, Limits, Memory, Options, Score, Signal, Table, search,
};
use alquerque::tables::Tables;
use proptest::prelude::*;

fn game(text: &str) -> Game {
    Game::new(text.parse().expect("a valid position"), 0)
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn run(game: &Game, limits: &Limits, options: &Options) -> (BestMove, Vec<Info>) {
    let table = Table::new(16).expect("16 MiB");
    let mut infos = Vec::new();
    let signal = Signal::default();
    let best = search(
        game,
        limits,
        options,
        Memory {
            table: &table,
            tables: &Tables::default(),
            evaluation: Evaluation::shipped(),
        },
        &signal,
        &mut |info: &Info| infos.push(info.clone()),
    );
    (best, infos)
}

fn last_score(game: &Game, depth_limit: u32) -> Score {
    let (_, infos) = run(game, &depth(depth_limit), &Options::default());
    infos.last().expect("a line").score
}

/// (position, value, distance) of the reference list.
fn known_values() -> Vec<(Game, String, i32)> {
    let text = include_str!("data/values.csv");
    let rows = text.lines().skip(2).map(|line| {
        let mut fields = line.split(',');
        let mut next = || fields.next().unwrap_or_default().to_owned();
        let (position, value, distance) = (next(), next(), next());
        (game(&position), value, distance.parse().unwrap_or(0))
    });
    rows.collect()
}

#[test]
fn short_known_wins_and_losses_are_proven_with_their_distance() {
    let mut checked = 0;
    for (game, value, distance) in known_values() {
        let sign = match value.as_str() {
            "win" => 1,
            "loss" => -1,
            _ => continue,
        };
        if distance > 8 {
            continue;
        }
        let score = last_score(&game, distance as u32 + 4);
        assert_eq!(
            score.plies_to_end(),
            Some(sign * distance),
            "{}",
            game.position()
        );
        checked += 1;
    }
    assert!(checked >= 15, "only {checked} positions were short enough");
}

#[test]
fn no_known_draw_is_called_won_or_lost() {
    for (game, value, _) in known_values() {
        if value == "draw" {
            let score = last_score(&game, 12);
            assert_eq!(score.plies_to_end(), None, "{}", game.position());
        }
    }
}

#[test]
fn one_thread_visits_the_same_nodes_every_time() {
    let start = game("bbbbb/bbbbb/bb1ww/wwwww/wwwww w");
    let (a, _) = run(&start, &depth(10), &Options::default());
    let (b, _) = run(&start, &depth(10), &Options::default());
    assert_eq!(a, b);
}

#[test]
fn a_finished_game_has_no_best_move() {
    for text in ["bww2/ww3/w1w2/5/5 b", "5/5/5/5/4w b", "5/5/5/5/4w w"] {
        assert_eq!(
            run(&game(text), &depth(5), &Options::default()).0.best,
            None,
            "{text}"
        );
    }
}

#[test]
fn lines_are_distinct_sorted_and_complete() {
    let options = Options {
        multi_pv: 3,
        ..Options::default()
    };
    let (_, infos) = run(&game("5/2b2/b4/5/w2w1 w"), &depth(6), &options);
    for lines in infos.chunks(3) {
        let ranks: Vec<usize> = lines.iter().map(|info| info.multipv).collect();
        assert_eq!(ranks, [1, 2, 3]);
        assert!(lines.iter().all(|info| info.depth == lines[0].depth));
        assert!(lines.windows(2).all(|pair| pair[0].score >= pair[1].score));
        let firsts: Vec<_> = lines.iter().map(|info| info.pv[0]).collect();
        assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2]);
    }
}

#[test]
fn search_moves_restrict_the_root() {
    let start = game("bbbbb/bbbbb/bb1ww/wwwww/wwwww w");
    for text in ["b2c3", "d3c3"] {
        let limits = Limits {
            search_moves: vec![text.parse().expect("a move")],
            ..depth(4)
        };
        let best = run(&start, &limits, &Options::default()).0.best;
        assert_eq!(best.map(|mv| mv.to_string()).as_deref(), Some(text));
    }
}

#[test]
fn the_node_limit_is_exact_on_one_thread() {
    for nodes in [1, 100, 5000] {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let start = game("bbbbb/bbbbb/bb1ww/wwwww/wwwww w");
        assert_eq!(run(&start, &limits, &Options::default()).0.nodes, nodes);
    }
}

#[test]
fn a_mate_limit_ends_the_search_when_it_is_met() {
    let limits = Limits {
        mate: Some(4),
        ..Limits::default()
    };
    // A win in 7 plies by the reference list.
    let (_, infos) = run(&game("5/3b1/3b1/1bbb1/3w1 b"), &limits, &Options::default());
    assert_eq!(infos.last().expect("a line").score.to_string(), "mate 4");
}

#[test]
fn a_mate_search_misses_no_known_win_at_the_very_depth_it_takes() {
    let mut checked = 0;
    for (game, value, distance) in known_values() {
        if value != "win" || distance > 17 {
            continue;
        }
        let plies = distance as u32;
        let moves = plies.div_ceil(2);
        let limits = |depth, mate| Limits {
            depth: Some(depth),
            mate: Some(mate),
            ..Limits::default()
        };
        let found = |limits| run(&game, &limits, &Options::default()).1.pop();
        let score = found(limits(plies, moves)).map(|info| info.score);
        assert_eq!(score, Some(Score::win_in(plies)), "{}", game.position());
        // There is no sooner one.
        if moves > 1 {
            let score = found(limits(plies - 1, moves - 1)).map(|info| info.score);
            assert!(
                score < Some(Score::win_in(plies - 1)),
                "{}",
                game.position()
            );
        }
        checked += 1;
    }
    assert_eq!(checked, 21);
}

#[test]
fn a_mate_search_leaves_nothing_out_and_believes_no_search_that_did() {
    let start = game("bbbbb/bbbbb/bb1ww/wwwww/wwwww w");
    let (table, signal) = (Table::new(16).expect("16 MiB"), Signal::default());
    let nodes = |mate| {
        let limits = Limits { mate, ..depth(9) };
        let options = Options::default();
        search(
            &start,
            &limits,
            &options,
            Memory {
                table: &table,
                tables: &Tables::default(),
                evaluation: Evaluation::shipped(),
            },
            &signal,
            &mut |_: &Info| {},
        )
        .nodes
    };
    // Reductions save nodes; what they left in the table must not save any here.
    let (plain, after_plain) = (nodes(None), nodes(Some(5)));
    assert!(after_plain > plain, "{after_plain} {plain}");
    table.clear();
    assert_eq!(nodes(Some(5)), after_plain);
}

#[test]
fn a_side_that_can_only_lose_repeats_instead() {
    // A lone stone cannot be caught by one: any result but a draw would be an error.
    let score = last_score(&game("4b/5/5/5/w4 w"), 10);
    assert_eq!(score.plies_to_end(), None);
}

#[test]
fn the_no_capture_limit_turns_a_slow_win_into_a_draw() {
    // By the reference list a win in 7 plies.
    let text = "5/3b1/3b1/1bbb1/3w1 b";
    let position: Position = text.parse().expect("a position");
    let near = Game::new(position, 2);
    assert_eq!(last_score(&near, 10).plies_to_end(), None);
    let far = Game::new(position, 100);
    assert_eq!(last_score(&far, 10), Score::win_in(7));
}

#[test]
fn contempt_moves_the_score_of_a_draw() {
    let mut drawn = game("4b/5/5/5/w4 w");
    drawn.set_no_capture_limit(1);
    let options = Options {
        contempt: 30,
        ..Options::default()
    };
    let (_, infos) = run(&drawn, &depth(4), &options);
    assert_eq!(infos.last().expect("a line").score.centistones(), Some(-30));
}

#[test]
fn a_forced_move_is_played_at_once_under_a_clock() {
    let minute = Duration::from_secs(600);
    let limits = Limits {
        clock: Some(Clock {
            left: minute,
            increment: Duration::ZERO,
            moves_to_go: None,
        }),
        ..Limits::default()
    };
    let begin = Instant::now();
    let (best, _) = run(&game("5/2b2/5/2b2/2w2 w"), &limits, &Options::default());
    assert_eq!(
        best.best.map(|mv| mv.to_string()).as_deref(),
        Some("c1c3c5")
    );
    assert!(begin.elapsed() < minute / 100);
}

#[test]
fn several_threads_agree_on_a_proven_win() {
    let options = Options {
        threads: 4,
        ..Options::default()
    };
    let (_, infos) = run(
        &game("1b2w/w4/2b2/5/b2w1 w"),
        &depth(8),
        &Options::default(),
    );
    let (_, shared) = run(&game("1b2w/w4/2b2/5/b2w1 w"), &depth(8), &options);
    let score = |infos: &[Info]| infos.last().expect("a line").score.plies_to_end();
    assert_eq!(score(&infos), score(&shared));
}

/// Scores of the ends reached within `plies`, by nothing but the rules; 0 beyond.
fn minimax(game: &Game, plies: u32, from_root: u32) -> i32 {
    let board = game.position().board();
    if board.own.is_empty() || board.is_lost() {
        return from_root as i32 - 30_000;
    }
    if plies == 0 || game.occurrences() > 1 {
        return 0;
    }
    let replies = board.moves().into_iter().map(|mv| {
        let mut next = game.clone();
        next.play(mv).expect("a generated move");
        -minimax(&next, plies - 1, from_root + 1)
    });
    replies.max().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn lines_are_legal_and_short_wins_are_minimax_wins(
        own in 0u32..1 << 25, other in 0u32..1 << 25, thin in 0u32..1 << 25, black: bool,
    ) {
        let letters: Vec<char> = (0..25).map(|i| match (own & thin) >> i & 1 {
            1 => 'w',
            _ if (other & !own & thin) >> i & 1 == 1 => 'b',
            _ => '1',
        }).collect();
        prop_assume!(letters.iter().filter(|&&c| c == 'w').count() <= 6);
        prop_assume!(letters.iter().filter(|&&c| c == 'b').count() <= 6);
        let ranks: Vec<String> = letters.chunks(5).map(|rank| rank.iter().collect()).collect();
        let game = game(&format!("{} {}", ranks.join("/"), if black { 'b' } else { 'w' }));
        let (best, infos) = run(&game, &depth(6), &Options::default());
        prop_assert_eq!(best.best.is_none(), game.outcome().is_some());
        for info in &infos {
            let mut replay = game.clone();
            for &mv in &info.pv {
                prop_assert!(replay.play(mv).is_ok(), "{mv} in {:?}", info.pv);
            }
            if info.bound == Bound::Exact
                && let Some(plies) = info.score.plies_to_end()
            {
                // Captures that end the game beyond the nominal depth are not part of the line.
                prop_assert!(info.pv.len() as i32 <= plies.abs());
                let ended = replay.outcome().is_some();
                prop_assert_eq!(ended, info.pv.len() as i32 == plies.abs());
            }
        }
        if game.outcome().is_none() {
            let truth = minimax(&game, 3, 0);
            let found = infos.last().expect("a line").score;
            if truth.abs() > 20_000 {
                prop_assert_eq!(found.plies_to_end().map(i32::abs), Some(30_000 - truth.abs()));
            }
        }
    }
}
