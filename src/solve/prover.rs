//! Finding values by search, and gathering the positions that prove them.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::certificate::{Certificate, Claim};
use crate::rules::{Board, Effect, Game, Position, Side};
use crate::search::{Info, Limits, Memory, Options, Score, Signal, Table, TableError, search};
use crate::tables::{Exact, Tables, Wdl};

/// The value of a position, or what is known of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled {
    /// The side to move wins.
    Win,
    /// It loses.
    Loss,
    /// Neither was shown in the time there was.
    Open,
}

/// What was found out of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Its value.
    pub value: Settled,
    /// Plies to the end in the line found, at most; best play may be shorter.
    pub plies: Option<u32>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Searches and proves, with one memory for all positions.
pub struct Prover<'a> {
    table: Table,
    tables: &'a Tables,
    threads: usize,
    certificate: Certificate,
    nodes: u64,
}

impl<'a> Prover<'a> {
    /// With a hash table of so many MiB.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(tables: &'a Tables, mib: usize, threads: usize) -> Result<Prover<'a>, TableError> {
        Ok(Prover {
            table: Table::new(mib)?,
            tables,
            threads,
            certificate: Certificate {
                tables: tables.covered() as u32,
                ..Certificate::default()
            },
            nodes: 0,
        })
    }

    /// What was proven so far.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Tries to settle a position within a time; a claim that can be proven goes into the
    /// certificate. `report` is told of each depth.
    pub fn settle(
        &mut self,
        position: Position,
        time: Duration,
        report: &mut dyn FnMut(&Info),
    ) -> Proof {
        let start = Instant::now();
        self.nodes = 0;
        let game = Game::new(position, 0);
        let (score, _) = self.search(&game, time, report);
        let claimed = match score {
            Some(score) if score.is_win() => Settled::Win,
            Some(score) if score.is_loss() => Settled::Loss,
            _ => Settled::Open,
        };
        let board = position.board();
        let proven = match claimed {
            Settled::Open => false,
            Settled::Win => self.gather(board, start + time),
            Settled::Loss => {
                let mut turns = Vec::new();
                board.effects(&mut turns);
                turns
                    .iter()
                    .all(|&turn| self.gather(board.after(turn), start + time))
            }
        };
        if proven {
            let wins = claimed == Settled::Win;
            self.certificate.claims.push(Claim { position, wins });
        }
        Proof {
            value: if proven { claimed } else { Settled::Open },
            plies: score.and_then(Score::plies_to_end).map(i32::unsigned_abs),
            nodes: self.nodes,
            time: start.elapsed(),
        }
    }

    /// Searches until the end is proven or the time is up: the last score and the best turn.
    fn search(
        &mut self,
        game: &Game,
        time: Duration,
        report: &mut dyn FnMut(&Info),
    ) -> (Option<Score>, Option<Effect>) {
        let signal = Signal::default();
        let options = Options {
            threads: self.threads,
            ..Options::default()
        };
        let limits = Limits {
            movetime: Some(time),
            ..Limits::default()
        };
        let memory = Memory {
            table: &self.table,
            tables: self.tables,
        };
        let mut last = None;
        let mut observer = |info: &Info| {
            report(info);
            last = Some(info.score);
            if info.score.plies_to_end().is_some() {
                signal.stop();
            }
        };
        let found = search(game, &limits, &options, memory, &signal, &mut observer);
        self.nodes += found.nodes;
        (last, found.best.map(|mv| mv.effect()))
    }

    /// Gathers the positions that prove a win of the side to move. Nothing is taken on trust: a
    /// position is added when all replies to its move are proven, so no line can return.
    fn gather(&mut self, root: Board, until: Instant) -> bool {
        self.win(root, &mut HashSet::new(), until)
    }

    fn win(&mut self, board: Board, line: &mut HashSet<u64>, until: Instant) -> bool {
        let code = board.code();
        if self.certificate.moves.contains_key(&code) {
            return true;
        }
        if let Some(exact) = self.known(board) {
            return exact.wdl == Wdl::Win;
        }
        // A win that comes back to where it was is none.
        if !line.insert(code) {
            return false;
        }
        let remembered = self.table.win_of(board);
        let won = remembered.is_some_and(|turn| self.replies_lose(board, turn, line, until))
            || self
                .find_win(board, until)
                .filter(|&turn| remembered != Some(turn))
                .is_some_and(|turn| self.replies_lose(board, turn, line, until));
        line.remove(&code);
        won
    }

    fn replies_lose(
        &mut self,
        board: Board,
        turn: Effect,
        line: &mut HashSet<u64>,
        until: Instant,
    ) -> bool {
        let after = board.after(turn);
        let mut replies = Vec::new();
        after.effects(&mut replies);
        let lost = replies
            .iter()
            .all(|&reply| self.win(after.after(reply), line, until));
        if lost && let Some(mv) = board.move_for(turn) {
            self.certificate.moves.insert(board.code(), mv);
            return true;
        }
        false
    }

    /// The value of a board that the tables know.
    fn known(&self, board: Board) -> Option<Exact> {
        match board.stones() <= self.certificate.tables {
            true => self.tables.exact(board),
            false => None,
        }
    }

    /// A winning turn of a board, looked for by a search of its own.
    fn find_win(&mut self, board: Board, until: Instant) -> Option<Effect> {
        let game = Game::new(Position::from_board(board, Side::White), 0);
        let left = until.saturating_duration_since(Instant::now());
        let (score, best) = self.search(&game, left.min(FIND), &mut |_| ());
        best.filter(|_| score.is_some_and(Score::is_win))
    }
}

/// The most time to look for the win of one position.
const FIND: Duration = Duration::from_secs(30);
