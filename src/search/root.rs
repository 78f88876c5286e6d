//! The root: its turns, its answer from tables alone, its moves.

use super::deepening::Memory;
use super::known::{KnownRoot, best_line, score_of};
use super::timer::Timer;
use super::turn::Node;
use super::types::{BestMove, Bound, Info, Limits, Observer, Options, Score};
use crate::rules::{Board, Effect, Game, Move};

/// Game counters from outside may be huge; beyond this they all mean the same.
const QUIET_CAP: u32 = 1 << 20;

/// A turn at the root with what is known of it.
#[derive(Clone)]
pub(super) struct RootTurn {
    pub mv: Move,
    pub effect: Effect,
    pub score: i32,
    /// What the tables think of it, for comparison only.
    pub preference: i64,
    pub bound: Bound,
    pub line: Vec<Effect>,
}

pub(super) fn root_node(game: &Game, contempt: i32, full_width: bool) -> Node {
    let board = game.position().board();
    // Scores under contempt differ from the true ones, and a search with reductions may have
    // missed what one of full width must find: they get slots of their own.
    let salt = (i64::from(contempt) * 2 + i64::from(full_width)) as u64;
    let salt = salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Node {
        board,
        key: board.key() ^ salt,
        ply: 0,
        quiet: game.position().quiet_plies().min(QUIET_CAP),
    }
}

/// The turns to consider, one for each effect. None if the game is over.
pub(super) fn root_turns(game: &Game, limits: &Limits) -> Vec<RootTurn> {
    if game.outcome().is_some() {
        return Vec::new();
    }
    let board = game.position().board();
    let wanted = |mv: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
    let mut turns: Vec<RootTurn> = Vec::new();
    for mv in board.moves().into_iter().filter(wanted) {
        let effect = mv.effect();
        if !turns.iter().any(|turn| turn.effect == effect) {
            turns.push(RootTurn {
                mv,
                effect,
                score: -Score::INFINITE.0,
                preference: 0,
                bound: Bound::Exact,
                line: Vec::new(),
            });
        }
    }
    turns
}

/// Answers from the tables alone: the best turns with their values and the play that follows.
pub(super) fn settled(
    game: &Game,
    mut turns: Vec<RootTurn>,
    known: &KnownRoot,
    (limits, options): (&Limits, &Options),
    memory: Memory,
    observer: &mut dyn Observer,
) -> BestMove {
    let timer = Timer::new(limits, options);
    let board = game.position().board();
    for (turn, &value) in turns.iter_mut().zip(&known.values) {
        turn.score = score_of(value, 0, -options.contempt);
        turn.preference = value.preference();
    }
    turns.sort_by_key(|turn| std::cmp::Reverse(turn.preference));
    turns.truncate(options.multi_pv.max(1));
    for (index, turn) in turns.iter_mut().enumerate() {
        turn.line = best_line(board, turn.effect, memory.tables);
        observer.line(&Info {
            depth: 1,
            seldepth: turn.line.len() as u32,
            multipv: index + 1,
            score: Score(turn.score),
            bound: Bound::Exact,
            nodes: 0,
            time: timer.elapsed(),
            table_hits: known.values.len() as u64,
            hashfull: memory.table.hashfull(),
            pv: moves_of(board, turn),
        });
    }
    best_move(game, &turns[0], 0)
}

/// The move of a turn, with the reply expected if the game goes on.
pub(super) fn best_move(game: &Game, turn: &RootTurn, nodes: u64) -> BestMove {
    let mut after = game.clone();
    let over = after.play(turn.mv).is_err() || after.outcome().is_some();
    let line = moves_of(game.position().board(), turn);
    BestMove {
        best: Some(turn.mv),
        ponder: if over { None } else { line.get(1).copied() },
        nodes,
    }
}

/// A line of effects as moves.
pub(super) fn moves_of(mut board: Board, turn: &RootTurn) -> Vec<Move> {
    let mut moves = vec![turn.mv];
    board = board.after(turn.effect);
    for &effect in turn.line.iter().skip(1) {
        let Some(mv) = board.move_for(effect) else {
            break;
        };
        moves.push(mv);
        board = board.after(effect);
    }
    moves
}
