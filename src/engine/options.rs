//! The engine's options: what they are called, what they take, how a text becomes a value.

use thiserror::Error;

use super::strength::ELO;

/// Which option it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionId {
    /// Size of the hash table in MiB.
    Hash,
    /// Searching threads.
    Threads,
    /// Best lines to report.
    MultiPv,
    /// Whether `bestmove` names the expected reply.
    Ponder,
    /// Analysis instead of a game: contempt is off.
    AnalyseMode,
    /// Whether scores are also given as chances of win, draw and loss.
    ShowWdl,
    /// Whether to play below full strength.
    LimitStrength,
    /// How strong to play then.
    Elo,
    /// How much a draw is worth less than 0 for the engine.
    Contempt,
    /// Time kept back on each move.
    MoveOverhead,
    /// Plies without a capture that draw the game.
    NoCaptureLimit,
    /// Empties the hash table.
    ClearHash,
    /// The directory of exact tables.
    TablePath,
    /// Whether the tables in memory are used.
    BuiltInTables,
}

/// What an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Check(bool),
    /// A whole number between two others.
    Spin {
        /// The value at the start.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// Nothing: it acts at once.
    Button,
    /// A text; empty, or `<empty>`, at the start.
    Text,
}

/// The description of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// Which one it is.
    pub id: OptionId,
    /// Its name; case does not matter when it is looked up.
    pub name: &'static str,
    /// What it takes.
    pub kind: OptionKind,
}

const fn spin(id: OptionId, name: &'static str, default: i64, min: i64, max: i64) -> OptionSpec {
    let kind = OptionKind::Spin { default, min, max };
    OptionSpec { id, name, kind }
}

const fn check(id: OptionId, name: &'static str, default: bool) -> OptionSpec {
    let kind = OptionKind::Check(default);
    OptionSpec { id, name, kind }
}

/// Every option, in the order in which they are announced.
pub const OPTIONS: [OptionSpec; 14] = [
    spin(OptionId::Hash, "Hash", 16, 1, 1 << 20),
    spin(OptionId::Threads, "Threads", 1, 1, 256),
    spin(OptionId::MultiPv, "MultiPV", 1, 1, 500),
    check(OptionId::Ponder, "Ponder", true),
    check(OptionId::AnalyseMode, "UCI_AnalyseMode", false),
    check(OptionId::ShowWdl, "UCI_ShowWDL", false),
    check(OptionId::LimitStrength, "UCI_LimitStrength", false),
    spin(OptionId::Elo, "UCI_Elo", 800, ELO.0, ELO.1),
    spin(OptionId::Contempt, "Contempt", 0, -500, 500),
    spin(OptionId::MoveOverhead, "Move Overhead", 10, 0, 5000),
    spin(OptionId::NoCaptureLimit, "No Capture Limit", 0, 0, 10_000),
    OptionSpec {
        id: OptionId::ClearHash,
        name: "Clear Hash",
        kind: OptionKind::Button,
    },
    OptionSpec {
        id: OptionId::TablePath,
        name: "TablePath",
        kind: OptionKind::Text,
    },
    check(OptionId::BuiltInTables, "BuiltInTables", true),
];

/// Why an option was not set; the old value stays.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no option of that name.
    #[error("no option is called '{0}'")]
    Unknown(String),
    /// The option needs a value.
    #[error("option {0} needs a value")]
    Missing(&'static str),
    /// The value is not `true` or `false`.
    #[error("option {0}: '{1}' is not true or false")]
    NotBool(&'static str, String),
    /// The value is not a number in the range.
    #[error("option {name}: '{value}' is not a number from {min} to {max}")]
    NotInRange {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// There is no exact table where they should be.
    #[error("option TablePath: no table can be used in '{path}': {reason}; the old ones stay")]
    NoTables {
        /// The directory.
        path: String,
        /// What was found there.
        reason: String,
    },
    /// The hash table does not fit into memory.
    #[error("option Hash: {0} MiB do not fit into memory; the old table stays")]
    Memory(usize),
}

impl OptionSpec {
    /// The option of that name, whatever its case.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(name: &str) -> Result<&'static OptionSpec, OptionError> {
        OPTIONS
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(short(name)))
    }

    pub(super) fn bool(&self, value: Option<&str>) -> Result<bool, OptionError> {
        let value = value.ok_or(OptionError::Missing(self.name))?;
        if value.eq_ignore_ascii_case("true") {
            Ok(true)
        } else if value.eq_ignore_ascii_case("false") {
            Ok(false)
        } else {
            Err(OptionError::NotBool(self.name, short(value)))
        }
    }

    /// The number in `value`, if it is in the option's range.
    pub(super) fn number<N: TryFrom<i64>>(&self, value: Option<&str>) -> Result<N, OptionError> {
        let text = value.ok_or(OptionError::Missing(self.name))?;
        let (min, max) = match self.kind {
            OptionKind::Spin { min, max, .. } => (min, max),
            _ => (0, 0),
        };
        let number: Option<i64> = text.parse().ok().filter(|n| (min..=max).contains(n));
        number
            .and_then(|n| N::try_from(n).ok())
            .ok_or_else(|| OptionError::NotInRange {
                name: self.name,
                value: short(text),
                min,
                max,
            })
    }
}

/// Long input is quoted by its beginning only.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
