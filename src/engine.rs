//! The engine behind one door: options, a position, a search. It prints nothing.

mod memory;
mod options;
mod strength;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use thiserror::Error;

use crate::rules::{self, Game, Move, MoveError, Outcome, ParseMoveError, Position};
use crate::search::{
    BestMove, Evaluation, Info, Limits, MAX_DEPTH, Memory, Observer, Options, Signal, Table,
    TableError, search,
};
use crate::tables::{Tables, built_in};

use strength::Weakness;

pub use memory::available_mib;
pub use options::{OPTIONS, OptionError, OptionId, OptionKind, OptionSpec};
pub use strength::levels;

/// Size of the hash table at the start, in MiB.
const DEFAULT_HASH: usize = 16;

/// An engine with its options, its hash table and the game it looks at.
pub struct Engine {
    options: Options,
    hash: usize,
    ponder: bool,
    analyse: bool,
    show_wdl: bool,
    limited: bool,
    elo: u32,
    /// What the errors of the next limited search follow from.
    seed: AtomicU64,
    game: Game,
    /// Exact tables from files; those in memory are added for each search.
    tables: Tables,
    /// Whether those in memory are used.
    built_in: bool,
    // Shared, so that a search can run while its owner goes on answering.
    table: Arc<Table>,
}

/// A move of a list that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("illegal move {text}: {reason} (move {number} of the list)")]
pub struct ListError {
    /// The move as it was written.
    pub text: String,
    /// Its place in the list, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub reason: ListReason,
}

/// What is wrong with a move of a list.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListReason {
    /// It is no move at all.
    #[error(transparent)]
    Text(#[from] ParseMoveError),
    /// It breaks a rule.
    #[error(transparent)]
    Rule(#[from] MoveError),
}

/// A move to search that is not legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("searchmoves: illegal move {0}: {1}")]
pub struct GoError(pub Move, pub MoveError);

impl Engine {
    /// An engine with default options in the starting position.
    ///
    /// # Errors
    /// If there is no memory even for the default hash table.
    pub fn new() -> Result<Engine, TableError> {
        Ok(Engine {
            options: Options::default(),
            hash: DEFAULT_HASH,
            ponder: true,
            analyse: false,
            show_wdl: false,
            limited: false,
            elo: 800,
            seed: AtomicU64::new(strength::seed()),
            game: Game::new(Position::start(), 0),
            tables: Tables::default(),
            built_in: true,
            table: Arc::new(Table::new(DEFAULT_HASH)?),
        })
    }

    /// Sets the option of that name (in any case). What is good to know about it is returned, one
    /// line each.
    ///
    /// # Errors
    /// If there is no such option or the value does not suit it; the old value stays.
    pub fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<Vec<String>, OptionError> {
        let spec = OptionSpec::find(name)?;
        match spec.id {
            OptionId::Hash => self.resize(spec.number(value)?)?,
            OptionId::Threads => self.options.threads = spec.number(value)?,
            OptionId::MultiPv => self.options.multi_pv = spec.number(value)?,
            OptionId::Ponder => self.ponder = spec.bool(value)?,
            OptionId::AnalyseMode => self.analyse = spec.bool(value)?,
            OptionId::ShowWdl => self.show_wdl = spec.bool(value)?,
            OptionId::LimitStrength => self.limited = spec.bool(value)?,
            OptionId::Elo => self.elo = spec.number(value)?,
            OptionId::Contempt => self.options.contempt = spec.number(value)?,
            OptionId::MoveOverhead => {
                self.options.move_overhead = Duration::from_millis(spec.number(value)?);
            }
            OptionId::NoCaptureLimit => self.game.set_no_capture_limit(spec.number(value)?),
            OptionId::ClearHash => self.table.clear(),
            OptionId::BuiltInTables => {
                self.built_in = spec.bool(value)?;
                // Scores found with them, or without, are not to be mixed.
                self.table.clear();
            }
            OptionId::TablePath => return self.open_tables(value.unwrap_or_default()),
        }
        Ok(Vec::new())
    }

    fn open_tables(&mut self, path: &str) -> Result<Vec<String>, OptionError> {
        // Scores found with other tables are not to be trusted.
        if path.is_empty() || path == "<empty>" {
            self.tables = Tables::default();
            self.table.clear();
            return Ok(vec!["tables: none".to_owned()]);
        }
        let (tables, refused) = Tables::open(Path::new(path));
        let refused: Vec<String> = refused.iter().map(ToString::to_string).collect();
        if tables.largest() == 0 {
            return Err(OptionError::NoTables {
                path: path.to_owned(),
                reason: match refused.is_empty() {
                    true => "it holds none".to_owned(),
                    false => refused.join("; "),
                },
            });
        }
        self.tables = tables;
        self.table.clear();
        let mut notes = vec![format!(
            "tables: every position of up to {} stones is known",
            self.tables.covered()
        )];
        notes.extend(
            refused
                .iter()
                .map(|refused| format!("tables: refused {refused}")),
        );
        Ok(notes)
    }

    /// Begins what the first search would wait for: the weights of the evaluation are laid out, and
    /// the tables in memory made if they are to be used.
    fn warm_up(&self) {
        Evaluation::shipped();
        if self.built_in {
            built_in::start();
        }
    }

    /// The exact tables at hand; those in memory, if they are to be used, are made if they are not
    /// yet, in some tenths of a second.
    pub fn tables(&self) -> Tables {
        if self.built_in {
            built_in::get();
            return self.tables.clone().with_built_in();
        }
        self.tables.clone()
    }

    fn resize(&mut self, mib: usize) -> Result<(), OptionError> {
        if mib == self.hash {
            return Ok(());
        }
        // The old table stays until the new one stands, so both must fit.
        if memory::available_mib().is_some_and(|available| mib > available) {
            return Err(OptionError::Memory(mib));
        }
        self.table = Arc::new(Table::new(mib).map_err(|_| OptionError::Memory(mib))?);
        self.hash = mib;
        Ok(())
    }

    /// Forgets everything that belongs to the last game and sets up the starting position.
    pub fn new_game(&mut self) {
        self.warm_up();
        self.table.clear();
        self.game = Game::new(Position::start(), self.game.no_capture_limit());
    }

    /// Sets up a position and makes moves from it.
    ///
    /// # Errors
    /// If a move cannot be made; the old game stays.
    pub fn set_position<S: AsRef<str>>(
        &mut self,
        position: Position,
        moves: &[S],
    ) -> Result<(), ListError> {
        self.warm_up();
        let mut game = Game::new(position, self.game.no_capture_limit());
        for (index, text) in moves.iter().enumerate() {
            let text = text.as_ref();
            play(&mut game, text).map_err(|reason| ListError {
                text: text.chars().take(40).collect(),
                number: index + 1,
                reason,
            })?;
        }
        self.game = game;
        Ok(())
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The options of a search as they stand.
    pub fn options(&self) -> Options {
        let contempt = if self.analyse {
            0
        } else {
            self.options.contempt
        };
        Options {
            contempt,
            ..self.options
        }
    }

    /// Whether the expected reply is to be told.
    pub fn ponder(&self) -> bool {
        self.ponder
    }

    /// Whether scores are to be given as chances too.
    pub fn show_wdl(&self) -> bool {
        self.show_wdl
    }

    /// Makes the errors of limited searches from now on the same as those of every engine with this
    /// seed.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = AtomicU64::new(seed);
    }

    /// How the next search falls short, if strength is limited.
    fn weakness(&self) -> Option<Box<Weakness>> {
        let seed = || self.seed.fetch_add(1, Ordering::Relaxed);
        (self.limited && !self.analyse).then(|| Box::new(Weakness::new(self.elo, seed())))
    }

    /// Prepares a search of the present position, to be run on any thread.
    ///
    /// # Errors
    /// If a move to search is not legal.
    pub fn prepare(&self, mut limits: Limits) -> Result<Job, GoError> {
        let over = self.game.outcome().is_some();
        for &mv in &limits.search_moves {
            let reason = if over {
                Err(MoveError::GameOver)
            } else {
                Ok(())
            };
            reason
                .and_then(|()| mv.check(self.game.position().board()))
                .map_err(|reason| GoError(mv, reason))?;
        }
        // A win in n moves takes 2n - 1 plies: without this the search for it might never end.
        if let (None, Some(mate)) = (limits.depth, limits.mate) {
            limits.depth = Some(mate.saturating_mul(2).clamp(1, MAX_DEPTH));
        }
        Ok(Job {
            game: self.game.clone(),
            limits,
            options: self.options(),
            tables: self.tables.clone(),
            built_in: self.built_in,
            table: Arc::clone(&self.table),
            weakness: self.weakness(),
        })
    }

    /// Searches the present position and returns when done.
    ///
    /// # Errors
    /// If a move to search is not legal.
    pub fn go(
        &self,
        limits: Limits,
        signal: &Signal,
        report: &mut dyn FnMut(&Info),
    ) -> Result<BestMove, GoError> {
        let mut lines = |info: &Info| report(info);
        Ok(self.prepare(limits)?.run(signal, &mut lines))
    }
}

/// Plays a move given as text.
fn play(game: &mut Game, text: &str) -> Result<(), ListReason> {
    let mv: Move = text.parse()?;
    Ok(game.play(mv).map_err(|illegal| illegal.reason)?)
}

/// A search that is ready to run.
pub struct Job {
    game: Game,
    limits: Limits,
    options: Options,
    tables: Tables,
    /// Whether those in memory are to be waited for, and used.
    built_in: bool,
    table: Arc<Table>,
    // Boxed: most searches have none, and a generator is large.
    weakness: Option<Box<Weakness>>,
}

impl Job {
    /// The game to be searched.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Runs the search; a finished game has no best move.
    pub fn run(&self, signal: &Signal, observer: &mut dyn Observer) -> BestMove {
        let (game, limits, options) = (&self.game, &self.limits, &self.options);
        let mut tables = self.tables.clone();
        if self.built_in {
            built_in::wait(patience(limits), &|| signal.is_stopped());
            tables = tables.with_built_in();
        }
        let memory = Memory {
            table: &self.table,
            tables: &tables,
            evaluation: Evaluation::shipped(),
        };
        match self.weakness.clone() {
            None => search(game, limits, options, memory, signal, observer),
            Some(weak) => weak.search(game, limits, options, &self.table, signal, observer),
        }
    }
}

/// How long a search may wait for the tables in memory: what does not depend on time is to be the
/// same every time.
fn patience(limits: &Limits) -> Option<Duration> {
    match (limits.movetime, limits.clock) {
        (Some(movetime), _) => Some(movetime / 10),
        (None, Some(clock)) => Some(clock.left / 100),
        (None, None) => None,
    }
}

/// The deepest perft: deeper ones end in no lifetime, and the count would overflow.
pub const MAX_PERFT_DEPTH: u32 = 30;

/// Counts the move sequences below each legal move of a game, on the threads of the present rayon
/// pool; none at depth 0 or in a won game. `None` if stopped.
pub fn divide(game: &Game, depth: u32, signal: &Signal) -> Option<Vec<(Move, u64)>> {
    if matches!(game.outcome(), Some(Outcome::Win(..))) {
        return Some(Vec::new());
    }
    rules::divide(game.position().board(), depth, &|| signal.is_stopped())
}
