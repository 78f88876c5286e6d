//! Plays a whole match: several games at once, each result recorded before it counts.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use thiserror::Error;

use super::engine::{EngineConfig, Player, StartError, Surroundings};
use super::game::{
    Assignment, Conditions, GameRecord, Interrupted, Seat, TableValue, forfeit, play,
};
use super::openings::Openings;
use super::record::{Journal, JournalError, MatchHeader, PgnFile, read_journal};
use super::schedule::{Done, Schedule};
use super::standing::Standing;
use super::stats::{Decision, Sprt};
use crate::rules::Side;

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
        let shared = Shared {
            plan: self,
            schedule: &schedule,
            surroundings,
            next: AtomicU64::new(0),
            done: Mutex::new(done),
            failed_starts: header.engines.iter().map(|_| AtomicU32::new(0)).collect(),
        };
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

/// What the threads share.
struct Shared<'a> {
    plan: &'a Match,
    schedule: &'a Schedule,
    surroundings: &'a Arc<Surroundings>,
    next: AtomicU64,
    done: Mutex<Done>,
    failed_starts: Vec<AtomicU32>,
}

impl Shared<'_> {
    /// A game nobody plays or has played.
    fn next(&self) -> Option<Assignment> {
        loop {
            if self.surroundings.stop.load(Ordering::Relaxed) {
                return None;
            }
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            if n >= self.schedule.games() {
                return None;
            }
            let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
            if !done.contains(n) {
                return Some(self.schedule.nth(n, &self.plan.openings.list));
            }
        }
    }
}

/// Plays one game after another and keeps the engines it needs.
struct Worker<'a> {
    shared: &'a Shared<'a>,
    cpus: &'a [usize],
    players: Vec<(usize, Player)>,
}

impl<'a> Worker<'a> {
    fn new(shared: &'a Shared<'a>, index: usize) -> Worker<'a> {
        Worker {
            shared,
            cpus: shared.plan.cpus.get(index).map_or(&[], Vec::as_slice),
            players: Vec::new(),
        }
    }

    fn work(mut self, sender: &SyncSender<Message>) {
        while let Some(assignment) = self.shared.next() {
            let message = match self.play(&assignment) {
                Ok(Some(record)) => Message::Game(Box::new(record)),
                Ok(None) => break,
                Err(error) => Message::Fatal(error),
            };
            if sender.send(message).is_err() {
                break;
            }
        }
        if !self.shared.surroundings.stop.load(Ordering::Relaxed) {
            self.players
                .iter_mut()
                .for_each(|(_, player)| player.ask_to_quit());
        }
    }

    /// The record of a game; `None` if the match is stopped.
    fn play(&mut self, assignment: &Assignment) -> Result<Option<GameRecord>, MatchError> {
        let plan = self.shared.plan;
        let pair = [assignment.white, assignment.black];
        let configs = pair.map(|index| &plan.header.engines[index]);
        let conditions = plan.conditions();
        self.dismiss(|engine| !pair.contains(&engine));
        for (side, engine) in [Side::White, Side::Black].into_iter().zip(pair) {
            match self.summon(engine) {
                Ok(()) => {}
                Err(_) if self.shared.surroundings.stop.load(Ordering::Relaxed) => return Ok(None),
                Err(StartError::Handshake { fault, .. }) => {
                    self.count_failed_start(engine, &fault.to_string())?;
                    let why = fault.to_string();
                    return Ok(Some(forfeit(assignment, configs, &conditions, side, why)));
                }
                Err(error) => return Err(error.into()),
            }
        }
        let mut seats: Vec<(usize, Seat<'_>)> = Vec::with_capacity(2);
        for (engine, player) in &mut self.players {
            let config = &plan.header.engines[*engine];
            seats.push((*engine, Seat { config, player }));
        }
        seats.sort_by_key(|(engine, _)| *engine != assignment.white);
        let seats: Vec<Seat<'_>> = seats.into_iter().map(|(_, seat)| seat).collect();
        let seats: [Seat<'_>; 2] = seats.try_into().map_err(|_| MatchError::Thread)?;
        match play(assignment, seats, &conditions) {
            Err(Interrupted) => Ok(None),
            Ok(played) => {
                let broken = |engine| {
                    let side = usize::from(engine == assignment.black);
                    played.unusable[side]
                };
                self.dismiss(broken);
                Ok(Some(played.record))
            }
        }
    }

    fn dismiss(&mut self, whom: impl Fn(usize) -> bool) {
        for (engine, player) in &mut self.players {
            if whom(*engine) {
                player.ask_to_quit();
            }
        }
        self.players.retain(|(engine, _)| !whom(*engine));
    }

    fn summon(&mut self, engine: usize) -> Result<(), StartError> {
        if self.players.iter().any(|(known, _)| *known == engine) {
            return Ok(());
        }
        let Shared {
            plan, surroundings, ..
        } = self.shared;
        let player = plan.start(&plan.header.engines[engine], self.cpus, surroundings)?;
        self.shared.failed_starts[engine].store(0, Ordering::Relaxed);
        self.players.push((engine, player));
        Ok(())
    }

    fn count_failed_start(&self, engine: usize, why: &str) -> Result<(), MatchError> {
        let count = self.shared.failed_starts[engine].fetch_add(1, Ordering::Relaxed) + 1;
        let name = &self.shared.plan.header.engines[engine].name;
        match count >= MAX_FAILED_STARTS {
            true => Err(MatchError::KeepsFailing(format!(
                "engine {name} does not start: {why}"
            ))),
            false => Ok(()),
        }
    }
}
