//! The engine with exact tables against itself without: what is drawn is never lost, what is won
//! is won in time.

use alquerque::rules::{Board, Game, Outcome, PointSet, Position, Side};
use alquerque::search::{Evaluation, Info, Limits, Memory, Options, Signal, Table, search};
use alquerque::tables::{Tables, Wdl, built_in};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Nodes a move of the side without tables.
const NODES: u64 = 3000;
/// A drawn game that is still going on after so many plies is left.
const LONG: u32 = 120;

/// A player: a search with its memory.
struct Player {
    table: Table,
    tables: Tables,
}

impl Player {
    fn with(tables: Tables) -> Player {
        let table = Table::new(4).expect("memory for a small table");
        Player { table, tables }
    }

    fn play(&self, game: &mut Game) {
        let limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        let memory = Memory {
            table: &self.table,
            tables: &self.tables,
            evaluation: Evaluation::shipped(),
        };
        let (options, signal) = (Options::default(), Signal::default());
        let found = search(game, &limits, &options, memory, &signal, &mut |_: &Info| ());
        game.play(found.best.expect("a move"))
            .expect("a legal move");
    }
}

fn random_position(rng: &mut ChaCha8Rng) -> Position {
    let mut sets = [PointSet::EMPTY; 2];
    for stone in 0..rng.random_range(3..=6usize) {
        let point = loop {
            let point = PointSet::from_bits(1 << rng.random_range(0..25u32));
            if !(sets[0] | sets[1]).meets(point) {
                break point;
            }
        };
        // Both sides have a stone; the others fall to either.
        let side = if stone < 2 {
            stone
        } else {
            rng.random_range(0..2)
        };
        sets[side] = sets[side] | point;
    }
    let [own, other] = sets;
    Position::from_board(Board { own, other }, Side::White)
}

/// Plays from a position, the first player moving first; the plies and the outcome.
fn play(position: Position, players: [&Player; 2]) -> (u32, Option<Outcome>) {
    let mut game = Game::new(position, 0);
    let mut plies = 0;
    while game.outcome().is_none() && plies < LONG {
        players[plies as usize % 2].play(&mut game);
        plies += 1;
    }
    (plies, game.outcome())
}

#[test]
fn with_tables_the_value_is_kept_and_the_distance_met() {
    built_in::get();
    let knowing = Player::with(Tables::default().with_built_in());
    let searching = Player::with(Tables::default());
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut seen = [0; 3];
    for _ in 0..150 {
        let position = random_position(&mut rng);
        let exact = knowing.tables.exact(position.board()).expect("few stones");
        let (plies, outcome) = play(position, [&knowing, &searching]);
        match exact.wdl {
            Wdl::Win => {
                let distance = exact.distance.plies().expect("small tables have distances");
                let won = matches!(outcome, Some(Outcome::Win(Side::White, _)));
                assert!(
                    won && plies <= distance,
                    "{position}: {plies} plies, {exact}"
                );
            }
            Wdl::Draw => {
                let lost = matches!(outcome, Some(Outcome::Win(Side::Black, _)));
                assert!(!lost, "{position} was drawn");
            }
            Wdl::Loss => {
                let distance = exact.distance.plies().expect("small tables have distances");
                assert!(plies >= distance, "{position}: {plies} plies, {exact}");
            }
        }
        seen[exact.wdl as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 15), "{seen:?} says little");
}

#[test]
fn two_that_know_play_exactly_the_distance() {
    built_in::get();
    let player = Player::with(Tables::default().with_built_in());
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..100 {
        let position = random_position(&mut rng);
        let exact = player.tables.exact(position.board()).expect("few stones");
        if exact.wdl != Wdl::Draw {
            let (plies, _) = play(position, [&player, &player]);
            assert_eq!(Some(plies), exact.distance.plies(), "{position}");
        }
    }
}
