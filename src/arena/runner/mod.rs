//! Plays a whole match: several games at once, each result recorded before it counts.

mod worker;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;

use thiserror::Error;

use super::engine::{EngineConfig, Player, StartError, Surroundings};
use super::game::{Conditions, GameRecord, TableValue};
use super::openings::Openings;
use super::record::{Journal, JournalError, MatchHeader, PgnFile, read_journal};
use super::schedule::{Done, Schedule};
use super::standing::Standing;
use super::stats::{Decision, Sprt};
use worker::{Shared, Worker};

/// An engine that does not start this often in a row ends the match.
const MAX_FAILED_STARTS: u32 = 10;

/// A match that is ready to be played.
pub struct Match {
    /// What decides the games.
    pub header: MatchHeader,
    /// The openings.
    pub openings: Openings,
    /// Games at once, from 1.
    pub concurrency: usize,
    /// Processors for each of the games at once; empty: any.
    pub cpus: Vec<Vec<usize>>,
    /// When an engine without a clock counts as hung.
    pub patience: Duration,
    /// Where the match is recorded so that it can go on.
    pub journal: Option<PathBuf>,
    /// Where games are written in PGN shape.
    pub pgn: Option<PathBuf>,
    /// Whether to delete what these files hold.
    pub fresh: bool,
    /// Exact values, if there are any.
    pub table: Option<Box<TableValue>>,
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All games are played.
    Complete,
    /// The test is decided.
    Decided(Decision),
    /// Somebody stopped it.
    Stopped,
}

/// Why a match cannot be played to its end. What was recorded stays.
#[derive(Debug, Error)]
pub enum MatchError {
    /// An engine cannot play.
    #[error(transparent)]
    Engine(#[from] StartError),
    /// An engine fails again and again.
    #[error("{0}; this was the {MAX_FAILED_STARTS}th time in a row, so the match is stopped")]
    KeepsFailing(String),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The PGN cannot be written.
    #[error("{0}: {1}")]
    Pgn(PathBuf, io::Error),
    /// The PGN belongs to something else.
    #[error("{0} exists already; choose another file, or delete it with --fresh")]
    PgnExists(PathBuf),
    /// A thread could not be made or failed.
    #[error("a game's thread failed")]
    Thread,
}

enum Message {
    Game(Box<GameRecord>),
    Fatal(MatchError),
}

impl Match {
    /// Plays what is not recorded yet. `watch` is called once when the records are read and then
    /// after each game.
    ///
    /// # Errors
    /// If an engine cannot be started, or a record cannot be read or written.
    pub fn run(
        &self,
        surroundings: &Arc<Surroundings>,
        watch: &mut dyn FnMut(&Standing),
    ) -> Result<(Ending, Standing), MatchError> {
        let header = &self.header;
        let schedule = self.schedule();
        let names = header.engines.iter().map(|engine| engine.name.clone());
        let mut standing = Standing::new(names.collect());
        let mut done = Done::default();
        let mut records = self.open(&schedule, &mut done, &mut standing)?;
        watch(&standing);
        if let Some(decision) = decided(header.sprt.as_ref(), &standing) {
            return Ok((Ending::Decided(decision), standing));
        }
        if standing.games() < schedule.games() {
            self.try_engines(surroundings)?;
        }
        let shared = Shared::new(self, &schedule, surroundings, done);
        let ending = thread::scope(|scope| {
            let (sender, receiver) = sync_channel(self.concurrency * 2);
            for index in 0..self.concurrency {
                let (shared, sender) = (&shared, sender.clone());
                scope.spawn(move || Worker::new(shared, index).work(&sender));
            }
            drop(sender);
            let ending = self.collect(&receiver, &mut records, &mut standing, watch);
            surroundings.stop.store(true, Ordering::Relaxed);
            // Threads that wait to hand over a game must not wait for ever.
            drop(receiver);
            ending
        })?;
        let complete = standing.games() >= schedule.games();
        let ending = ending.map_or(
            if complete {
                Ending::Complete
            } else {
                Ending::Stopped
            },
            Ending::Decided,
        );
        Ok((ending, standing))
    }

    /// The games of this match.
    pub fn schedule(&self) -> Schedule {
        let header = &self.header;
        Schedule::new(
            header.engines.len(),
            header.format,
            header.games,
            self.openings.list.len(),
            header.seed,
            header.shard,
        )
    }

    fn open(
        &self,
        schedule: &Schedule,
        done: &mut Done,
        standing: &mut Standing,
    ) -> Result<Records, MatchError> {
        let mut know = |record: GameRecord| {
            let index = schedule.index_of(record.game);
            if index.is_some_and(|index| done.insert(index)) {
                standing.add(&record);
            }
        };
        let journal = match &self.journal {
            None => None,
            Some(path) => Some(Journal::open(path, &self.header, self.fresh, &mut know)?),
        };
        let pgn = match &self.pgn {
            None => None,
            Some(path) => {
                let foreign = standing.games() == 0 && !self.fresh;
                let full = path
                    .metadata()
                    .is_ok_and(|meta| meta.is_file() && meta.len() > 0);
                if foreign && full {
                    return Err(MatchError::PgnExists(path.clone()));
                }
                let mut read = Ok(());
                let file = PgnFile::rewrite(path, |write| {
                    if let Some(path) = &self.journal
                        && standing.games() > 0
                    {
                        read = read_journal(path, |record| write(&record)).map(|_| ());
                    }
                });
                read?;
                Some(file.map_err(|error| MatchError::Pgn(path.clone(), error))?)
            }
        };
        Ok(Records { journal, pgn })
    }

    /// Starts every engine once, so that a wrong name or option costs no game.
    fn try_engines(&self, surroundings: &Arc<Surroundings>) -> Result<(), MatchError> {
        for config in &self.header.engines {
            match self.start(config, &[], surroundings) {
                Ok(mut player) => player.ask_to_quit(),
                // It may do better next time; if not, its games are lost one by one.
                Err(StartError::Handshake { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn start(
        &self,
        config: &EngineConfig,
        cpus: &[usize],
        surroundings: &Arc<Surroundings>,
    ) -> Result<Player, StartError> {
        Player::start(config, self.header.no_capture_limit, cpus, surroundings)
    }

    fn conditions(&self) -> Conditions<'_> {
        Conditions {
            no_capture_limit: self.header.no_capture_limit,
            margin: Duration::from_millis(self.header.margin_ms),
            patience: self.patience,
            adjudication: self.header.adjudication,
            table: self.table.as_deref(),
        }
    }

    /// Takes games from the threads until the test is decided or nothing comes any more.
    fn collect(
        &self,
        receiver: &Receiver<Message>,
        records: &mut Records,
        standing: &mut Standing,
        watch: &mut dyn FnMut(&Standing),
    ) -> Result<Option<Decision>, MatchError> {
        for message in receiver {
            match message {
                Message::Game(record) => {
                    records.add(&record)?;
                    standing.add(&record);
                    watch(standing);
                }
                Message::Fatal(error) => return Err(error),
            }
            if let Some(decision) = decided(self.header.sprt.as_ref(), standing) {
                return Ok(Some(decision));
            }
        }
        Ok(None)
    }
}

fn decided(sprt: Option<&Sprt>, standing: &Standing) -> Option<Decision> {
    let decision = standing.sprt(sprt?).decision;
    (decision != Decision::Continue).then_some(decision)
}

/// The files of a match.
struct Records {
    journal: Option<Journal>,
    pgn: Option<PgnFile>,
}

impl Records {
    fn add(&mut self, record: &GameRecord) -> Result<(), MatchError> {
        if let Some(journal) = &mut self.journal {
            journal.add(record)?;
        }
        if let Some(pgn) = &mut self.pgn {
            let written = pgn.add(record);
            written.map_err(|error| MatchError::Pgn(pgn.path().to_owned(), error))?;
        }
        Ok(())
    }
}
