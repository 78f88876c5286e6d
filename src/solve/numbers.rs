//! Proof-number search for the question: can the side that attacks win?

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use crate::rules::Board;
use crate::tables::{Tables, Wdl};

/// A position with the part its mover plays: attacking, or holding against an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub board: Board,
    pub attacks: bool,
}

impl Node {
    fn key(self) -> u64 {
        self.board.code() << 1 | u64::from(self.attacks)
    }

    /// The positions after each turn, each once.
    pub fn children(self) -> Vec<Node> {
        let mut turns = Vec::new();
        self.board.effects(&mut turns);
        let after = |&turn| Node {
            board: self.board.after(turn),
            attacks: !self.attacks,
        };
        turns.iter().map(after).collect()
    }
}

/// How hard it is to prove the attacker's win, and to disprove it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    proof: u32,
    disproof: u32,
}

/// More than any number of an open node.
const DONE: u32 = 1 << 30;

impl Numbers {
    const WON: Numbers = Numbers {
        proof: 0,
        disproof: DONE,
    };
    const HELD: Numbers = Numbers {
        proof: DONE,
        disproof: 0,
    };

    fn is_open(self) -> bool {
        self.proof != 0 && self.disproof != 0
    }

    /// Never reached by an open node.
    const LIMITS: Numbers = Numbers {
        proof: DONE,
        disproof: DONE,
    };

    fn of_mover(self, attacks: bool) -> Mover {
        let (wanted, unwanted) = match attacks {
            true => (self.proof, self.disproof),
            false => (self.disproof, self.proof),
        };
        Mover { wanted, unwanted }
    }

    /// Those of an open node before it is searched: a side that is stones ahead has less to do.
    fn guess(node: Node) -> Numbers {
        let board = node.board;
        let turns = match board.can_capture() {
            true => board.capturers().len(),
            false => board.step_count(),
        };
        let ahead = board.own.len() as i32 - board.other.len() as i32;
        let cost = |behind: i32| 1 + 3 * behind.max(0) as u32;
        let mover = Mover {
            wanted: cost(-ahead),
            unwanted: turns - 1 + cost(ahead),
        };
        mover.of_attack(node.attacks)
    }
}

/// The same numbers as the side to move sees them.
#[derive(Clone, Copy)]
struct Mover {
    /// How hard it is to show what it wants: one turn must do.
    wanted: u32,
    /// How hard the contrary is: no turn must do.
    unwanted: u32,
}

impl Mover {
    fn of_attack(self, attacks: bool) -> Numbers {
        let (proof, disproof) = match attacks {
            true => (self.wanted, self.unwanted),
            false => (self.unwanted, self.wanted),
        };
        Numbers { proof, disproof }
    }

    /// How far to search a child: until the node reaches its own limits, or until the second best
    /// turn looks better by a quarter, for to change at every node costs more.
    fn limit_of_child(limits: Mover, next: &Next) -> Mover {
        Mover {
            wanted: limits.wanted.min(next.second + next.second / 4 + 1),
            unwanted: limits.unwanted - next.others,
        }
    }
}

/// What a search says of an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// The attacker wins: proven.
    Won,
    /// It does not: a hint only, for a return to the line of play counts as held.
    Held,
    /// Time or memory were used up.
    Open,
}

/// The turns between a question and a position; a longer line of play ends the search.
const LONGEST: usize = 8000;
/// The stack that a line so long may need, in bytes.
pub(super) const STACK: usize = LONGEST * 4096;

/// Depth-first proof-number search (Nagai's df-pn) with one memory for all questions. Of the
/// children that all must be shown, the hardest counts, and one for each other (weak proof
/// numbers, Ueda and others): sums would count the many transpositions again and again.
pub(super) struct Attack<'a> {
    tables: &'a Tables,
    /// Positions of up to so many stones are looked up.
    covered: u32,
    memory: HashMap<u64, Numbers>,
    /// The most nodes to remember.
    room: usize,
    /// Where the attacker wins by going to, by the code of its position. That was won before, so
    /// following these never leads back.
    wins: HashMap<u64, Board>,
    line: HashSet<u64>,
    until: Instant,
    stopped: bool,
    /// Nodes searched so far.
    pub nodes: u64,
}

impl<'a> Attack<'a> {
    pub fn new(tables: &'a Tables, room: usize) -> Attack<'a> {
        Attack {
            tables,
            covered: tables.covered() as u32,
            memory: HashMap::new(),
            room,
            wins: HashMap::new(),
            line: HashSet::new(),
            until: Instant::now(),
            stopped: false,
            nodes: 0,
        }
    }

    /// Searches until there is an answer, or the time or the memory is used up.
    pub fn ask(&mut self, node: Node, until: Instant) -> Answer {
        (self.until, self.stopped) = (until, false);
        if self.numbers(node).is_open() {
            self.search(node, Numbers::LIMITS);
        }
        self.answer(node)
    }

    /// What is known without a search.
    pub fn answer(&self, node: Node) -> Answer {
        match self.numbers(node) {
            Numbers { proof: 0, .. } => Answer::Won,
            Numbers { disproof: 0, .. } => Answer::Held,
            _ => Answer::Open,
        }
    }

    /// The position that the attacker goes to from a won one, unless the tables know it.
    pub fn win_from(&self, board: Board) -> Option<Board> {
        self.wins.get(&board.code()).copied()
    }

    /// Whether the tables know the value of a board.
    pub fn is_known(&self, board: Board) -> bool {
        board.stones() <= self.covered && self.tables.exact(board).is_some()
    }

    /// Forgets a hint that turned out to be wrong.
    pub fn forget(&mut self, node: Node) {
        self.memory.remove(&node.key());
    }

    fn numbers(&self, node: Node) -> Numbers {
        let remembered = self.memory.get(&node.key()).copied();
        remembered.unwrap_or_else(|| self.first_numbers(node))
    }

    /// The numbers of a node never searched; final ones if the tables know it.
    fn first_numbers(&self, node: Node) -> Numbers {
        let of_attack = |won: bool| if won { Numbers::WON } else { Numbers::HELD };
        if node.board.stones() <= self.covered
            && let Some(exact) = self.tables.exact(node.board)
        {
            return of_attack(match node.attacks {
                true => exact.wdl == Wdl::Win,
                false => exact.wdl == Wdl::Loss,
            });
        }
        if node.board.is_lost() {
            return of_attack(!node.attacks);
        }
        Numbers::guess(node)
    }

    /// Searches until the numbers reach the limits.
    fn search(&mut self, node: Node, limits: Numbers) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(256) && Instant::now() >= self.until {
            self.stopped = true;
        }
        self.stopped |= self.memory.len() >= self.room || self.line.len() >= LONGEST;
        let children: Vec<(Node, Numbers)> = node
            .children()
            .into_iter()
            .map(|child| (child, self.on_entering(child)))
            .collect();
        let limits = limits.of_mover(node.attacks);
        self.line.insert(node.key());
        loop {
            let (now, next) = self.gather(node, &children);
            let is_done =
                self.stopped || now.wanted >= limits.wanted || now.unwanted >= limits.unwanted;
            match next {
                Some(next) if !is_done => {
                    let limit = Mover::limit_of_child(limits, &next);
                    self.search(next.child, limit.of_attack(node.attacks));
                }
                next => {
                    if let Some(next) = next.filter(|_| now.wanted == 0 && node.attacks) {
                        self.wins.insert(node.board.code(), next.child.board);
                    }
                    self.memory.insert(node.key(), now.of_attack(node.attacks));
                    break;
                }
            }
        }
        self.line.remove(&node.key());
    }

    /// A child's numbers on entering: to come back to the line of play is to hold.
    fn on_entering(&self, child: Node) -> Numbers {
        match self.line.contains(&child.key()) {
            true => Numbers::HELD,
            false => self.first_numbers(child),
        }
    }

    /// The numbers that follow from the children's, and the best child.
    fn gather(&self, node: Node, children: &[(Node, Numbers)]) -> (Mover, Option<Next>) {
        let mut now = Mover {
            wanted: DONE,
            unwanted: 0,
        };
        let (mut second, mut open) = (DONE, 0);
        let mut best = None;
        for &(child, first) in children {
            let numbers = match first.is_open() {
                true => self.memory.get(&child.key()).copied().unwrap_or(first),
                false => first,
            };
            let mover = numbers.of_mover(node.attacks);
            if mover.unwanted == 0 {
                continue;
            }
            open += 1;
            now.unwanted = now.unwanted.max(mover.unwanted);
            if mover.wanted < now.wanted {
                (second, now.wanted) = (now.wanted, mover.wanted);
                best = Some(child);
            } else {
                second = second.min(mover.wanted);
            }
        }
        let others = open.max(1) - 1;
        if now.wanted > 0 && now.unwanted > 0 {
            now.unwanted = (now.unwanted + others).min(DONE - 1);
        }
        let next = best.map(|child| Next {
            child,
            second,
            others,
        });
        (now, next)
    }
}

/// The child to search next.
struct Next {
    child: Node,
    /// What the side to move wants is so hard after the second best turn.
    second: u32,
    /// Other open children.
    others: u32,
}
