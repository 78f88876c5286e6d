//! Finding values by search, and gathering the positions that prove them.

use std::thread;
use std::time::{Duration, Instant};

use super::certificate::{Certificate, Claim, Value};
use super::hold::Holding;
use super::numbers::{Answer, Attack, Node, STACK};
use crate::rules::{Board, Move, Position};
use crate::tables::Tables;

/// What was found out of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// What is proven; `None` if nothing was in the time and memory there were.
    pub value: Option<Value>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Searches and proves, with one memory for all positions.
pub struct Prover<'a> {
    attack: Attack<'a>,
    certificate: Certificate,
}

impl<'a> Prover<'a> {
    /// With a memory of up to about so many MiB, taken as it is needed.
    pub fn new(tables: &'a Tables, mib: usize) -> Prover<'a> {
        Prover {
            attack: Attack::new(tables, mib.saturating_mul((1 << 20) / BYTES_A_NODE)),
            certificate: Certificate {
                tables: tables.covered() as u32,
                ..Certificate::default()
            },
        }
    }

    /// What was proven so far.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Tries to settle a position within a time; what is proven goes into the certificate.
    pub fn settle(&mut self, position: Position, time: Duration) -> Proof {
        let (start, nodes) = (Instant::now(), self.attack.nodes);
        let board = position.board();
        let value = thread::scope(|scope| {
            // Lines of play can be long, and each ply takes its part of the stack.
            let work = || self.value_of(board, start, time);
            let thread = thread::Builder::new().stack_size(STACK);
            let worker = thread.spawn_scoped(scope, work);
            worker.ok().and_then(|worker| worker.join().ok().flatten())
        });
        if let Some(value) = value {
            self.certificate.claims.push(Claim { position, value });
        }
        Proof {
            value,
            nodes: self.attack.nodes - nodes,
            time: start.elapsed(),
        }
    }

    /// Asks whether either side wins, then shows what holds.
    fn value_of(&mut self, board: Board, start: Instant, time: Duration) -> Option<Value> {
        let (first, second) = (start + time / 2, start + time * 3 / 4);
        if self.attack.ask(node(board, true), first) != Answer::Won
            && self.attack.ask(node(board, false), second) == Answer::Won
        {
            return Some(self.lost(board));
        }
        let upper = self.wins(board, start + time);
        if upper == Answer::Won {
            return Some(Value::Win);
        }
        match (upper, self.hold(board, start + time)) {
            (_, Answer::Won) => Some(self.lost(board)),
            (Answer::Held, Answer::Held) => Some(Value::Draw),
            (Answer::Held, _) => Some(Value::AtMostDraw),
            (_, Answer::Held) => Some(Value::AtLeastDraw),
            _ => None,
        }
    }

    /// Gathers the proof of a loss.
    fn lost(&mut self, board: Board) -> Value {
        let turns = node(board, false).children();
        turns.iter().for_each(|turn| self.gather(turn.board));
        Value::Loss
    }

    /// Whether the side to move wins, with proof either way.
    fn wins(&mut self, board: Board, until: Instant) -> Answer {
        let root = node(board, true);
        loop {
            match self.attack.ask(root, until) {
                Answer::Won => {
                    self.gather(board);
                    return Answer::Won;
                }
                Answer::Open => return Answer::Open,
                Answer::Held => (),
            }
            let turns = root.children();
            let closed = turns.iter().map(|turn| self.hold(turn.board, until));
            match closed.into_iter().find(|&answer| answer != Answer::Held) {
                None => return Answer::Held,
                Some(Answer::Open) => return Answer::Open,
                // The answer was a wrong hint: one turn wins.
                Some(_) => self.attack.forget(root),
            }
        }
    }

    /// Whether the side to move holds, with a proof in the certificate if it does.
    fn hold(&mut self, board: Board, until: Instant) -> Answer {
        let mut holding = Holding::new(&mut self.attack, &self.certificate.holds, until);
        let answer = holding.close(board);
        if answer == Answer::Held {
            for (board, turn) in holding.turns(board) {
                let mv = board.move_for(turn).map(|mv| (board.code(), mv));
                self.certificate.holds.extend(mv);
            }
        }
        answer
    }

    /// Gathers the positions that prove the win of the side to move.
    fn gather(&mut self, root: Board) {
        let mut open = vec![root];
        while let Some(board) = open.pop() {
            let code = board.code();
            if self.certificate.wins.contains_key(&code) {
                continue;
            }
            if let Some(after) = self.attack.win_from(board) {
                let leads = |mv: &Move| board.after(mv.effect()) == after;
                let mv = board.moves().into_iter().find(leads);
                self.certificate.wins.extend(mv.map(|mv| (code, mv)));
                let replies = node(after, false).children();
                open.extend(replies.iter().map(|reply| reply.board));
            }
        }
    }
}

fn node(board: Board, attacks: bool) -> Node {
    Node { board, attacks }
}

/// What a node takes in memory while its map grows, in bytes.
const BYTES_A_NODE: usize = 64;
