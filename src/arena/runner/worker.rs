//! The threads that play.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use super::{MAX_FAILED_STARTS, Match, MatchError, Message};
use crate::arena::engine::{Player, StartError, Surroundings};
use crate::arena::game::{Assignment, GameRecord, Interrupted, Seat, forfeit, play};
use crate::arena::schedule::{Done, Schedule};
use crate::rules::Side;

/// What the threads share.
pub(super) struct Shared<'a> {
    plan: &'a Match,
    schedule: &'a Schedule,
    surroundings: &'a Arc<Surroundings>,
    next: AtomicU64,
    done: Mutex<Done>,
    failed_starts: Vec<AtomicU32>,
}

impl<'a> Shared<'a> {
    pub(super) fn new(
        plan: &'a Match,
        schedule: &'a Schedule,
        surroundings: &'a Arc<Surroundings>,
        done: Done,
    ) -> Shared<'a> {
        Shared {
            plan,
            schedule,
            surroundings,
            next: AtomicU64::new(0),
            done: Mutex::new(done),
            failed_starts: plan
                .header
                .engines
                .iter()
                .map(|_| AtomicU32::new(0))
                .collect(),
        }
    }

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
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    cpus: &'a [usize],
    players: Vec<(usize, Player)>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, index: usize) -> Worker<'a> {
        Worker {
            shared,
            cpus: shared.plan.cpus.get(index).map_or(&[], Vec::as_slice),
            players: Vec::new(),
        }
    }

    pub(super) fn work(mut self, sender: &SyncSender<Message>) {
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
