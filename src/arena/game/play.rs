//! The loop of one game. The board is the runner's: nothing an engine says about it counts.

use std::time::{Duration, Instant, SystemTime};

use super::adjudicate::{Adjudication, Adjudicator, TableValue};
use super::claims::Claims;
use super::record::{Assignment, GameRecord, GameResult, MoveRecord, Reason};
use crate::arena::engine::{Answer, Budget, EngineConfig, Fault, Player, Verbs};
use crate::arena::limits::Clock;
use crate::rules::{Game, Move, Side};

/// What holds for every game of a match.
pub struct Conditions<'a> {
    /// The limit on plies without a capture; 0: none.
    pub no_capture_limit: u32,
    /// How much a move may take over its time.
    pub margin: Duration,
    /// When an engine without a clock counts as hung.
    pub patience: Duration,
    /// When games end early.
    pub adjudication: Adjudication,
    /// Exact values, if there are any.
    pub table: Option<&'a TableValue>,
}

/// A side of the board: who sits there.
pub struct Seat<'a> {
    /// The engine's description.
    pub config: &'a EngineConfig,
    /// The running engine.
    pub player: &'a mut Player,
}

/// A finished game, and which engines (White's, Black's) must be started anew.
pub struct Played {
    /// The game.
    pub record: GameRecord,
    /// White's and Black's.
    pub unusable: [bool; 2],
}

/// The match was stopped in the middle of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

/// Plays a game.
///
/// # Errors
/// If the match is stopped.
pub fn play(
    assignment: &Assignment,
    seats: [Seat<'_>; 2],
    conditions: &Conditions<'_>,
) -> Result<Played, Interrupted> {
    let configs = [seats[0].config, seats[1].config];
    let mut table = Table::new(assignment, seats, conditions);
    let (result, reason, detail, unusable) = match table.play_to_the_end() {
        Ok((result, reason)) => (result, reason, None, [false; 2]),
        Err((_, Fault::Interrupted)) => return Err(Interrupted),
        Err((loser, fault)) => {
            let mut unusable = [false; 2];
            unusable[at(loser)] = !matches!(fault, Fault::Late(_));
            let result = GameResult::win(loser.other());
            let reason = match table.begun {
                true => reason_of(&fault),
                false => Reason::StartFailure,
            };
            (result, reason, Some(fault.to_string()), unusable)
        }
    };
    let (detail, unusable) = match table.wrong_move.take() {
        // The engine is in order otherwise; a new game starts it afresh.
        Some(why) => (Some(why), unusable),
        None => (detail, unusable),
    };
    let mut record = blank(assignment, configs, conditions);
    record.started = table.started;
    record.seconds = table.clock.elapsed().as_secs_f64();
    (record.result, record.reason, record.detail) = (result, reason, detail);
    record.plies = table.moves.len();
    let outcome = table.game.outcome();
    for (side, claims) in [Side::White, Side::Black].into_iter().zip(table.claims) {
        let notes = claims.notes(&configs[at(side)].name, side, record.plies, outcome);
        record.notes.extend(notes);
    }
    record.moves = table.moves;
    Ok(Played { record, unusable })
}

/// The record of a game that `loser` lost without a move because it could not start.
pub fn forfeit(
    assignment: &Assignment,
    configs: [&EngineConfig; 2],
    conditions: &Conditions<'_>,
    loser: Side,
    why: String,
) -> GameRecord {
    let mut record = blank(assignment, configs, conditions);
    record.result = GameResult::win(loser.other());
    record.detail = Some(why);
    record
}

fn blank(
    assignment: &Assignment,
    configs: [&EngineConfig; 2],
    conditions: &Conditions<'_>,
) -> GameRecord {
    GameRecord {
        game: assignment.game,
        pair: assignment.pair,
        white: configs[0].name.clone(),
        black: configs[1].name.clone(),
        result: GameResult::Draw,
        reason: Reason::StartFailure,
        detail: None,
        started: now(),
        seconds: 0.0,
        position: assignment.opening.position.to_string(),
        no_capture_limit: conditions.no_capture_limit,
        time_controls: configs.map(|config| config.limits.pgn()),
        plies: 0,
        moves: Vec::new(),
        notes: Vec::new(),
    }
}

fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

fn at(side: Side) -> usize {
    usize::from(side == Side::Black)
}

fn reason_of(fault: &Fault) -> Reason {
    match fault {
        Fault::Late(_) => Reason::TimeForfeit,
        Fault::Silent { timed: true, .. } => Reason::TimeForfeit,
        Fault::Silent { .. } | Fault::Interrupted => Reason::NoAnswer,
        Fault::Gone(_) => Reason::Crash,
        Fault::Unasked(_) => Reason::SecondMove,
    }
}

/// A game in progress.
struct Table<'a> {
    game: Game,
    seats: [Seat<'a>; 2],
    clocks: [Option<Clock>; 2],
    claims: [Claims; 2],
    adjudicator: Adjudicator<'a>,
    margin: Duration,
    patience: Duration,
    /// The line that tells an engine the position.
    position: String,
    moves: Vec<MoveRecord>,
    /// Why the last answer was no legal move.
    wrong_move: Option<String>,
    started: String,
    clock: Instant,
    /// Whether both engines are ready for this game.
    begun: bool,
}

impl<'a> Table<'a> {
    fn new(
        assignment: &Assignment,
        seats: [Seat<'a>; 2],
        conditions: &Conditions<'a>,
    ) -> Table<'a> {
        let opening = &assignment.opening;
        let clocks = [0, 1].map(|i: usize| seats[i].config.limits.tc.map(Clock::new));
        let mut table = Table {
            game: Game::new(opening.position, conditions.no_capture_limit),
            clocks,
            seats,
            claims: Default::default(),
            adjudicator: Adjudicator::new(conditions.adjudication, conditions.table),
            margin: conditions.margin,
            patience: conditions.patience,
            position: format!("position fen {}", opening.position),
            moves: Vec::new(),
            wrong_move: None,
            started: now(),
            clock: Instant::now(),
            begun: false,
        };
        for &mv in &opening.moves {
            // Openings were checked when they were read.
            if table.game.play(mv).is_ok() {
                table.push(mv, MoveRecord::of_book(mv.to_string()));
            }
        }
        table
    }

    fn push(&mut self, mv: Move, record: MoveRecord) {
        if self.moves.is_empty() {
            self.position += " moves";
        }
        self.position += &format!(" {mv}");
        self.moves.push(record);
    }

    fn play_to_the_end(&mut self) -> Result<(GameResult, Reason), (Side, Fault)> {
        for side in [Side::White, Side::Black] {
            let player = &mut self.seats[at(side)].player;
            player.new_game().map_err(|fault| (side, fault))?;
        }
        self.begun = true;
        loop {
            if let Some(outcome) = self.game.outcome() {
                return Ok(Reason::of_outcome(outcome));
            }
            let (position, plies) = (*self.game.position(), self.moves.len());
            if let Some(verdict) = self.adjudicator.verdict(&position, plies) {
                return Ok(verdict);
            }
            let side = position.side();
            let answer = self.ask(side).map_err(|fault| (side, fault))?;
            self.claims[at(side)].heard(&position, plies, &answer.thought);
            if let Err((reason, why)) = self.make(&answer) {
                self.wrong_move = Some(why);
                return Ok((GameResult::win(side.other()), reason));
            }
            self.adjudicator.scored(side, answer.thought.score);
        }
    }

    /// Asks for a move and takes its time off the clock.
    fn ask(&mut self, side: Side) -> Result<Answer, Fault> {
        let go = self.go_line(side);
        let limits = self.seats[at(side)].config.limits;
        let left = self.clocks[at(side)].map(|clock| clock.left());
        let movetime = limits.movetime.map(Duration::from_millis);
        let flag = [left, movetime].into_iter().flatten().min();
        let budget = Budget {
            flag: flag.map(|flag| flag + self.margin),
            patience: self.patience,
        };
        let answer = self.seats[at(side)]
            .player
            .ask(&self.position, &go, budget)?;
        if let Some(clock) = &mut self.clocks[at(side)]
            && !clock.spend(answer.time, self.margin)
        {
            return Err(Fault::Late(answer.time));
        }
        Ok(answer)
    }

    fn go_line(&self, side: Side) -> String {
        let config = self.seats[at(side)].config;
        let mut line = "go".to_owned();
        if let Some(own) = self.clocks[at(side)] {
            // Some engines insist on both clocks.
            let clocks = self.clocks.map(|clock| clock.unwrap_or(own));
            let names = match config.verbs {
                Verbs::Uci => ["w", "b"],
                Verbs::Ugi => ["p1", "p2"],
            };
            for (name, clock) in names.iter().zip(&clocks) {
                line += &format!(" {name}time {}", clock.left_millis());
            }
            for (name, clock) in names.iter().zip(&clocks) {
                line += &format!(" {name}inc {}", clock.increment_millis());
            }
            if let Some(moves) = own.moves_left() {
                line += &format!(" movestogo {moves}");
            }
        }
        let limits = config.limits;
        for (word, number) in [
            ("movetime", limits.movetime),
            ("nodes", limits.nodes),
            ("depth", limits.depth.map(u64::from)),
        ] {
            if let Some(number) = number {
                line += &format!(" {word} {number}");
            }
        }
        line
    }

    fn make(&mut self, answer: &Answer) -> Result<(), (Reason, String)> {
        let quoted: String = answer.text.chars().take(40).collect();
        let mv: Move = answer
            .text
            .parse()
            .map_err(|e| (Reason::BadAnswer, format!("bestmove {quoted}: {e}")))?;
        self.game
            .play(mv)
            .map_err(|e| (Reason::IllegalMove, e.to_string()))?;
        let mut record = MoveRecord::of_answer(answer);
        record.text = mv.to_string();
        self.push(mv, record);
        Ok(())
    }
}
