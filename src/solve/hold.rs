//! Gathering the positions that prove "at least a draw".

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use super::numbers::{Answer, Attack, Node};
use crate::rules::{Board, Effect, Move};

/// A turn that holds, with the positions that the replies lead to.
struct Choice {
    turn: Effect,
    replies: Vec<Board>,
}

/// A closed set in the making, found like a local fixpoint (Liu and Smolka): choose a turn in each
/// position, and take back whatever turns out to rely on a lost one. When it is closed, every reply
/// to a chosen turn leads to a position with a chosen turn or to one that tables know to be held.
pub(super) struct Holding<'s, 't> {
    attack: &'s mut Attack<'t>,
    /// Positions that former sets hold, by their codes.
    held: &'s HashMap<u64, Move>,
    choices: HashMap<u64, Choice>,
    /// Positions whose chosen turn allows the position with this code.
    before: HashMap<u64, Vec<Board>>,
    open: Vec<Board>,
    until: Instant,
}

impl<'s, 't> Holding<'s, 't> {
    pub fn new(
        attack: &'s mut Attack<'t>,
        held: &'s HashMap<u64, Move>,
        until: Instant,
    ) -> Holding<'s, 't> {
        Holding {
            attack,
            held,
            choices: HashMap::new(),
            before: HashMap::new(),
            open: Vec::new(),
            until,
        }
    }

    /// Chooses until the set is closed. `Held` is a proof here, and [`Holding::turns`] has it.
    pub fn close(&mut self, root: Board) -> Answer {
        self.open.push(root);
        while let Some(board) = self.open.pop() {
            let code = board.code();
            if self.choices.contains_key(&code)
                || self.held.contains_key(&code)
                || self.attack.is_known(board)
            {
                continue;
            }
            match self.choose(board) {
                Answer::Held => (),
                Answer::Open => return Answer::Open,
                Answer::Won if board == root => return Answer::Won,
                Answer::Won => self.take_back(board),
            }
        }
        Answer::Held
    }

    /// The chosen turns of the positions that the root needs.
    pub fn turns(&self, root: Board) -> Vec<(Board, Effect)> {
        let (mut found, mut seen, mut open) = (Vec::new(), HashSet::new(), vec![root]);
        while let Some(board) = open.pop() {
            if let Some(choice) = self.choices.get(&board.code())
                && seen.insert(board.code())
            {
                found.push((board, choice.turn));
                open.extend(&choice.replies);
            }
        }
        found
    }

    /// Chooses a turn after which nothing known is wrong.
    fn choose(&mut self, board: Board) -> Answer {
        loop {
            let answer = self.attack.ask(holder(board), self.until);
            if answer != Answer::Held {
                return answer;
            }
            if let Some(choice) = self.candidate(board) {
                for &reply in &choice.replies {
                    self.before.entry(reply.code()).or_default().push(board);
                    self.open.push(reply);
                }
                self.choices.insert(board.code(), choice);
                return Answer::Held;
            }
            // The answer rested on a line of play that is no longer there.
            self.attack.forget(holder(board));
        }
    }

    fn candidate(&mut self, board: Board) -> Option<Choice> {
        let mut turns = Vec::new();
        board.effects(&mut turns);
        for turn in turns {
            let after = Node {
                board: board.after(turn),
                attacks: true,
            };
            if self.attack.answer(after) != Answer::Held {
                continue;
            }
            let replies: Vec<Board> = after.children().iter().map(|node| node.board).collect();
            let lost = |&reply: &Board| self.attack.answer(holder(reply)) == Answer::Won;
            if !replies.iter().any(lost) {
                return Some(Choice { turn, replies });
            }
            self.attack.forget(after);
        }
        None
    }

    /// Opens again whatever relied on a position that is lost.
    fn take_back(&mut self, lost: Board) {
        for board in self.before.remove(&lost.code()).unwrap_or_default() {
            let allows = |choice: &Choice| choice.replies.contains(&lost);
            if self.choices.get(&board.code()).is_some_and(allows) {
                self.choices.remove(&board.code());
                self.open.push(board);
            }
        }
    }
}

fn holder(board: Board) -> Node {
    Node {
        board,
        attacks: false,
    }
}
