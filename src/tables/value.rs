//! Exact values of positions.

use std::fmt;

use super::file::Kind;
use super::slab::{Code, OPEN, is_loss, is_win};

/// The value of a position for the side to move, under best play by both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Neither side can force a win; a repeated position is a draw.
    Draw,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// The same value for the other side.
    pub fn reversed(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }

    pub(super) fn of_code(code: Code) -> Wdl {
        match code {
            code if is_win(code) => Wdl::Win,
            code if is_loss(code) => Wdl::Loss,
            _ => Wdl::Draw,
        }
    }
}

impl fmt::Display for Wdl {
    /// `win`, `draw` or `loss`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wdl::Loss => "loss",
            Wdl::Draw => "draw",
            Wdl::Win => "win",
        })
    }
}

/// How far a decided position is from its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Distance {
    /// Plies to the end of the game: the winner hurries, the loser delays.
    Plies(u32),
    /// Plies to the capture after which the smaller tables decide.
    Conversion(u32),
    /// Not known.
    Unknown,
}

impl Distance {
    /// The distance one ply earlier.
    pub(super) fn before(self) -> Distance {
        match self {
            Distance::Plies(plies) => Distance::Plies(plies + 1),
            Distance::Conversion(plies) => Distance::Conversion(plies + 1),
            Distance::Unknown => Distance::Unknown,
        }
    }

    /// Plies to the end, if known.
    pub fn plies(self) -> Option<u32> {
        match self {
            Distance::Plies(plies) => Some(plies),
            _ => None,
        }
    }

    /// A number that orders distances of one kind: what is known less well counts as further.
    fn rank(self) -> u32 {
        match self {
            Distance::Plies(plies) => plies,
            Distance::Conversion(plies) => (1 << 16) + plies,
            Distance::Unknown => 1 << 17,
        }
    }
}

/// What the tables know of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Exact {
    /// The value for the side to move.
    pub wdl: Wdl,
    /// The way to the end; meaningless for a draw.
    pub distance: Distance,
}

impl Exact {
    /// A drawn position.
    pub const DRAWN: Exact = Exact {
        wdl: Wdl::Draw,
        distance: Distance::Unknown,
    };

    /// A position that is lost at once.
    pub const LOST: Exact = Exact {
        wdl: Wdl::Loss,
        distance: Distance::Plies(0),
    };

    pub(super) fn of_code(kind: Kind, code: Code) -> Exact {
        let plies = u32::from(code.saturating_sub(1));
        let distance = match kind {
            _ if code == OPEN => Distance::Unknown,
            Kind::Value => Distance::Unknown,
            Kind::Distance => Distance::Plies(plies),
            Kind::Conversion => Distance::Conversion(plies),
        };
        let wdl = Wdl::of_code(code);
        Exact { wdl, distance }
    }

    /// The value of a move, for its mover, from that of the position it leads to.
    pub fn of_move(after: Exact) -> Exact {
        Exact {
            wdl: after.wdl.reversed(),
            distance: after.distance.before(),
        }
    }

    /// A number that is higher for what the side to move likes better: a win, the sooner the
    /// better; a draw; a loss, the later the better.
    pub fn preference(self) -> i64 {
        let rank = i64::from(self.distance.rank());
        match self.wdl {
            Wdl::Win => (1 << 20) - rank,
            Wdl::Draw => 0,
            Wdl::Loss => rank - (1 << 20),
        }
    }
}

impl fmt::Display for Exact {
    /// `win in 5`, `draw`, `loss, 12 plies to a capture`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.wdl, self.distance) {
            (Wdl::Draw, _) | (_, Distance::Unknown) => write!(f, "{}", self.wdl),
            (wdl, Distance::Plies(plies)) => write!(f, "{wdl} in {plies}"),
            (wdl, Distance::Conversion(plies)) => write!(f, "{wdl}, {plies} plies to a capture"),
        }
    }
}
