//! Iterative deepening at the root: windows, several lines, several threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::eval::Evaluation;
use super::known::{KnownRoot, shown};
use super::root::{RootTurn, best_move, moves_of, root_node, root_turns, settled};
use super::table::{Table, bound_of};
use super::timer::Timer;
use super::turn::Node;
use super::types::{
    BestMove, CurrentMove, Info, Limits, MAX_DEPTH, Observer, Options, Score, Signal,
};
use super::worker::{Shared, Worker};
use crate::rules::Game;
use crate::rules::cpu::{Cpu, with_cpu};
use crate::tables::{Exact, Tables, Wdl};

/// Half the width of the first window around the last score, in centistones.
const WINDOW: i32 = 25;
/// Searches are told move by move after this.
const LONG_SEARCH: Duration = Duration::from_secs(1);

/// Searches the present position of `game` within `limits`, and tells each line when its depth is
/// finished, all lines of a depth together and best first. Returns when a limit is met or the
/// signal says stop, with the best move so far.
///
/// One thread with the same table contents always visits the same nodes.
pub fn search(
    game: &Game,
    limits: &Limits,
    options: &Options,
    memory: Memory,
    signal: &Signal,
    observer: &mut dyn Observer,
) -> BestMove {
    with_cpu!(|cpu| search_on(cpu, game, limits, options, memory, signal, observer))
}

fn search_on(
    cpu: impl Cpu,
    game: &Game,
    limits: &Limits,
    options: &Options,
    memory: Memory,
    signal: &Signal,
    observer: &mut dyn Observer,
) -> BestMove {
    let mut turns = root_turns(game, limits);
    if turns.is_empty() {
        return BestMove {
            best: None,
            ponder: None,
            nodes: 0,
        };
    }
    let Memory {
        table,
        tables,
        evaluation,
    } = memory;
    let all = turns.iter().map(|turn| (turn.mv, turn.effect));
    let known = KnownRoot::of(game, all, tables);
    if let Some(known) = &known {
        if known.is_settled {
            return settled(game, turns, known, (limits, options), memory, observer);
        }
        // Only turns that keep the value are worth a thought.
        let mut values = known.values.iter();
        turns.retain(|_| {
            values
                .next()
                .is_some_and(|value| value.wdl == known.best.wdl)
        });
    }
    table.next_generation();
    let shared = Shared {
        table,
        tables,
        evaluation,
        signal,
        abort: AtomicBool::new(false),
        nodes: AtomicU64::new(0),
        table_hits: AtomicU64::new(0),
    };
    let root = root_node(game, options.contempt, limits.mate.is_some());
    let threads = options.threads.max(1);
    let root_search = |index: usize| RootSearch {
        root,
        turns: turns.clone(),
        lines: options.multi_pv.clamp(1, turns.len()),
        limits,
        known: known.as_ref().map(|known| known.best),
        worker: {
            let mut worker = Worker::new(cpu, &shared, game, options.contempt);
            // Whoever asks for a win in n moves wants to hear of every one.
            worker.full_width = limits.mate.is_some();
            worker.timer = (index == 0).then(|| Timer::new(limits, options));
            // Where the value is known, the search is to find the way: it asks of positions after
            // captures only, and of none where all moves are as good.
            worker.known_stones = match &known {
                Some(known) if known.best.wdl == Wdl::Draw => 0,
                Some(_) => root.board.stones() - 1,
                None => worker.known_stones,
            };
            let share = |nodes: u64| nodes.div_ceil(threads as u64).max(1);
            worker.node_limit = limits.nodes.map_or(u64::MAX, share);
            worker
        },
    };
    let mut main = root_search(0);
    std::thread::scope(|scope| {
        for index in 1..threads {
            let mut helper = root_search(index);
            // Helpers fill the table; every other one works a depth ahead.
            scope.spawn(move || helper.run(1 + (index as u32 & 1), &mut |_: &Info| ()));
        }
        main.run(1, observer);
        shared.abort.store(true, Ordering::Relaxed);
    });
    main.result(game)
}

/// What a search remembers and knows: its hash table and exact tables.
#[derive(Clone, Copy)]
pub struct Memory<'a> {
    /// The hash table, shared by all threads.
    pub table: &'a Table,
    /// Exact values.
    pub tables: &'a Tables,
    /// What is thought of other positions.
    pub evaluation: &'a Evaluation,
}

struct RootSearch<'a, C> {
    /// The value of the position, if the tables know it.
    known: Option<Exact>,
    root: Node,
    turns: Vec<RootTurn>,
    /// Lines wanted, at most the number of turns.
    lines: usize,
    limits: &'a Limits,
    worker: Worker<'a, C>,
}

impl<C: Cpu> RootSearch<'_, C> {
    fn run(&mut self, first_depth: u32, observer: &mut dyn Observer) {
        let last = self.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in first_depth.min(last)..=last {
            self.worker.seldepth = 0;
            for line in 0..self.lines {
                self.search_line(line, depth, observer);
                if self.worker.stopped {
                    break;
                }
            }
            // A depth cut short still counts for the lines it finished, but only a first depth
            // is worth a report: it is all there is.
            if self.worker.stopped && depth > 1 {
                break;
            }
            self.turns[..self.lines].sort_by_key(|turn| std::cmp::Reverse(turn.score));
            self.report(depth, observer);
            if self.worker.stopped || self.is_enough(depth) {
                break;
            }
        }
    }

    /// Finds the best turn from `line` on and brings it there; the window widens until the score
    /// lies inside.
    fn search_line(&mut self, line: usize, depth: u32, observer: &mut dyn Observer) {
        let infinite = Score::INFINITE.0;
        let last = self.turns[line].score;
        let known = depth > 4 && last.abs() < Score::PROVEN;
        let mut width = WINDOW;
        let (mut alpha, mut beta) = match known {
            true => (last - width, last + width),
            false => (-infinite, infinite),
        };
        loop {
            let score = self.search_turns(line, depth, (alpha, beta), observer);
            if self.worker.stopped {
                return;
            }
            width *= 4;
            let wide = |edge: i32| {
                if width > 1000 {
                    edge.signum() * infinite
                } else {
                    edge
                }
            };
            if score <= alpha && alpha > -infinite {
                alpha = wide((score - width).min(-1)).max(-infinite);
            } else if score >= beta && beta < infinite {
                beta = wide((score + width).max(1)).min(infinite);
            } else {
                return;
            }
        }
    }

    fn search_turns(
        &mut self,
        line: usize,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        observer: &mut dyn Observer,
    ) -> i32 {
        let mut best = -Score::INFINITE.0;
        for i in line..self.turns.len() {
            let RootTurn { mv, effect, .. } = self.turns[i];
            let number = i + 1;
            if self.is_long() {
                observer.current_move(CurrentMove { depth, mv, number });
            }
            let window = (alpha, beta);
            let score = self
                .worker
                .search_turn(self.root, effect, depth as i32, window, i == line);
            if self.worker.stopped {
                break;
            }
            best = best.max(score);
            if i == line || score > alpha {
                let turn = &mut self.turns[i];
                turn.score = score;
                turn.bound = bound_of(score, alpha, beta);
                turn.line.clear();
                turn.line.push(effect);
                turn.line.extend_from_slice(self.worker.line_below_root());
            }
            if score > alpha {
                alpha = score;
                // The best so far goes first, the others keep their order.
                self.turns[line..=i].rotate_right(1);
                if score >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Whether the search has lasted so long that its single moves are worth telling.
    fn is_long(&self) -> bool {
        let timer = self.worker.timer.as_ref();
        timer.is_some_and(|timer| timer.elapsed() >= LONG_SEARCH)
    }

    /// Whether another depth would change nothing that matters.
    fn is_enough(&mut self, depth: u32) -> bool {
        let best = Score(self.turns[0].score);
        if let (Some(moves), true, Some(plies)) =
            (self.limits.mate, best.is_win(), best.plies_to_end())
            && (plies as u32).div_ceil(2) <= moves
        {
            return true;
        }
        let signal = self.worker.signal();
        let (alone, Some(timer)) = (self.turns.len() == 1, self.worker.timer.as_mut()) else {
            return false;
        };
        // A win no deeper than what was searched cannot be shortened.
        let proven = best
            .plies_to_end()
            .is_some_and(|plies| plies.unsigned_abs() <= depth);
        timer.is_late(signal) || timer.has_clock() && (alone || proven)
    }

    fn report(&self, depth: u32, observer: &mut dyn Observer) {
        let Some(timer) = &self.worker.timer else {
            return;
        };
        let unsearched = -Score::INFINITE.0;
        let lines = self.turns[..self.lines]
            .iter()
            .filter(|turn| turn.score > unsearched);
        for (index, turn) in lines.enumerate() {
            observer.line(&Info {
                depth,
                seldepth: (self.worker.seldepth as u32).max(1),
                multipv: index + 1,
                score: shown(turn.score, self.known),
                bound: turn.bound,
                nodes: self.worker.all_nodes(),
                time: timer.elapsed(),
                table_hits: self.worker.all_table_hits(),
                hashfull: self.worker.table().hashfull(),
                pv: moves_of(self.root.board, turn),
            });
        }
    }

    fn result(&self, game: &Game) -> BestMove {
        best_move(game, &self.turns[0], self.worker.all_nodes())
    }
}
