//! Searches of a session: thinking, pondering, analysis, hints, and what follows from them.

use std::io::{self, Write};
use std::time::Duration;

use super::command::{Command, Level};
use super::notation::write_move;
use super::session::{Mode, Session};
use crate::protocol::task::{Ending, Task, Work};
use crate::rules::Move;
use crate::search::{BestMove, Bound, Clock, Info, Limits, MAX_DEPTH};

/// Thinking time if XBoard sets none, and for a hint.
const MOVETIME: Duration = Duration::from_secs(1);
const HINT_TIME: Duration = Duration::from_millis(300);
/// Proven losses in a row after which the engine resigns: until then the user may err.
const HOPELESS: u32 = 3;
/// Plies without a capture after which an even game is offered as a draw, and between two offers.
const QUIET_PLIES: u32 = 40;
/// A score, in centistones, that is even.
const EVEN: i32 = 10;

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Make a move.
    Think,
    /// Think ahead, as if the user had answered so.
    Ponder(Move),
    /// Tell what it sees until told to stop.
    Analyse,
    /// Name a move for the user.
    Hint,
}

/// A search in progress.
pub(super) struct Running {
    pub task: Task,
    pub purpose: Purpose,
    /// The last best line.
    best: Option<Info>,
}

/// How long the engine may think.
#[derive(Clone, Default, Debug)]
pub(super) struct TimeControl {
    level: Option<Level>,
    movetime: Option<Duration>,
    left: Option<Duration>,
    /// Last depth of a search.
    pub depth: Option<u32>,
}

impl TimeControl {
    /// Takes the commands about time and depth; others do nothing.
    pub(super) fn set(&mut self, command: &Command) {
        match *command {
            Command::Level(level) => {
                (self.level, self.movetime, self.left) = (Some(level), None, Some(level.base));
            }
            Command::MoveTime(time) => (self.movetime, self.level) = (Some(time), None),
            Command::Depth(depth) => {
                self.depth = Some(depth.min(MAX_DEPTH)).filter(|&depth| depth > 0);
            }
            Command::Time(left) => self.left = Some(left),
            _ => {}
        }
    }

    /// The limits after so many own moves.
    fn limits(&self, own_moves: usize) -> Limits {
        let left = |level: &Level| level.moves - own_moves as u32 % level.moves;
        let clock = self.level.map(|level| Clock {
            left: self.left.unwrap_or(level.base),
            increment: level.increment,
            moves_to_go: (level.moves > 0).then(|| left(&level)),
        });
        let free = clock.is_none() && self.depth.is_none();
        Limits {
            depth: self.depth,
            movetime: self.movetime.or(free.then_some(MOVETIME)),
            clock,
            ..Limits::default()
        }
    }
}

impl<W: Write> Session<'_, W> {
    /// Whether the engine is about to move.
    pub(super) fn is_thinking(&self) -> bool {
        let running = self.running.as_ref();
        running.is_some_and(|running| running.purpose == Purpose::Think)
    }

    pub(super) fn is_pondering(&self) -> bool {
        let running = self.running.as_ref();
        running.is_some_and(|running| matches!(running.purpose, Purpose::Ponder(_)))
    }

    /// Starts a search; one that runs must have been ended.
    pub(super) fn begin(&mut self, purpose: Purpose) -> io::Result<()> {
        match self.start(purpose) {
            Ok(task) => {
                let best = None;
                self.running = Some(Running {
                    task,
                    purpose,
                    best,
                });
                Ok(())
            }
            Err(error) => self.say(format!("telluser no search: {error}")),
        }
    }

    fn start(&mut self, purpose: Purpose) -> Result<Task, String> {
        let mut moves: Vec<String> = self.game.moves().iter().map(Move::to_string).collect();
        let mut limits = self.time.limits(self.own_moves());
        match purpose {
            Purpose::Think => {}
            Purpose::Ponder(mv) => {
                moves.push(mv.to_string());
                limits.ponder = true;
            }
            Purpose::Analyse => {
                limits = Limits {
                    infinite: true,
                    ..Limits::default()
                }
            }
            Purpose::Hint => {
                limits = Limits {
                    movetime: Some(HINT_TIME),
                    ..Limits::default()
                }
            }
        }
        if !self.game.path().is_empty() {
            limits.search_moves = self.game.continuations();
        }
        let set = self.engine.set_position(self.game.start(), &moves);
        set.map_err(|error| error.to_string())?;
        let (infinite, ponder) = (limits.infinite, limits.ponder);
        let job = self
            .engine
            .prepare(limits)
            .map_err(|error| error.to_string())?;
        let work = Work::Search { job, wdl: false };
        let mut task = Task::start(work, self.events.clone()).map_err(|error| error.to_string())?;
        task.hold(infinite, ponder);
        Ok(task)
    }

    /// Moves that the side to move has made.
    fn own_moves(&self) -> usize {
        let plies = self.game.moves().len();
        match self.game.start().side() == self.game.side() {
            true => plies / 2,
            false => plies.saturating_sub(1) / 2,
        }
    }

    /// Turns pondering into thinking if that was the expected move.
    pub(super) fn ponder_hit(&mut self, mv: Move) -> bool {
        match &mut self.running {
            Some(running) if running.purpose == Purpose::Ponder(mv) => {
                running.purpose = Purpose::Think;
                running.task.ponder_hit();
                true
            }
            _ => false,
        }
    }

    pub(super) fn move_now(&mut self) -> io::Result<()> {
        match &mut self.running {
            Some(running) if running.purpose == Purpose::Think => {
                running.task.stop();
                self.settle()
            }
            _ => Ok(()),
        }
    }

    /// A line of thought.
    pub(super) fn note(&mut self, info: Info) -> io::Result<()> {
        let Some(running) = &mut self.running else {
            return Ok(());
        };
        let shown = match running.purpose {
            Purpose::Analyse => true,
            Purpose::Hint => false,
            _ => self.post,
        };
        let prefix = match running.purpose {
            Purpose::Ponder(mv) => format!("({mv}) "),
            _ => String::new(),
        };
        let text = thought(&info, &prefix);
        if info.multipv == 1 {
            running.best = Some(info);
        }
        match shown {
            true => self.say(text),
            false => Ok(()),
        }
    }

    /// Acts on a search that has ended.
    pub(super) fn settle(&mut self) -> io::Result<()> {
        let Some(running) = self.running.take_if(|running| running.task.is_over()) else {
            return Ok(());
        };
        let (purpose, best) = (running.purpose, running.best);
        let found = running.task.join().and_then(Ending::best_move);
        match (purpose, found) {
            (Purpose::Think, Some(found)) => self.moved(&found, best.as_ref()),
            (Purpose::Hint, Some(found)) => match found.best {
                Some(mv) => self.say(hint_text(mv)),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Makes the move that was found, or gives up.
    fn moved(&mut self, found: &BestMove, best: Option<&Info>) -> io::Result<()> {
        let Some(mv) = found.best else {
            return self.pings_out();
        };
        self.score = best.map(|info| info.score);
        self.expected = found.ponder;
        let lost = self.score.is_some_and(|score| score.is_loss());
        self.hopeless = if lost { self.hopeless + 1 } else { 0 };
        if self.hopeless >= HOPELESS {
            self.mode = Mode::Force;
            self.say("resign")?;
            return self.pings_out();
        }
        let quiet = self.game.game().position().quiet_plies();
        if self.is_even() && quiet >= QUIET_PLIES && quiet % QUIET_PLIES < 2 {
            self.say("offer draw")?;
        }
        self.make(mv)
    }

    fn is_even(&self) -> bool {
        let score = self.score.and_then(|score| score.centistones());
        score.is_some_and(|score| score.abs() <= EVEN)
    }

    /// The user offers a draw: taken if the engine is not ahead.
    pub(super) fn draw(&mut self) -> io::Result<()> {
        let ahead = self.score.is_none_or(|score| match score.centistones() {
            Some(centistones) => centistones > EVEN,
            None => score.is_win(),
        });
        match ahead {
            true => Ok(()),
            false => self.say("offer draw"),
        }
    }

    /// Names a move for the user.
    pub(super) fn hint(&mut self) -> io::Result<()> {
        if let (Some(mv), true) = (self.expected, self.game.path().is_empty()) {
            return self.say(hint_text(mv));
        }
        let busy = self.running.is_some() || self.mode == Mode::Play(self.game.side());
        match busy || self.game.outcome().is_some() {
            true => Ok(()),
            false => self.begin(Purpose::Hint),
        }
    }

    /// `.`: how the analysis goes.
    pub(super) fn status(&mut self) -> io::Result<()> {
        let best = self
            .running
            .as_ref()
            .and_then(|running| running.best.as_ref());
        let Some(info) = best else {
            return Ok(());
        };
        let (time, name) = (
            info.time.as_millis() / 10,
            info.pv.first().map_or(String::new(), Move::to_string),
        );
        let text = format!("stat01: {time} {} {} 0 1 {name}", info.nodes, info.depth);
        self.say(text)
    }
}

fn hint_text(mv: Move) -> String {
    format!("Hint: {}", write_move(mv.path(), mv.is_capture()))
}

/// A line of thought: depth, score, hundredths of a second, nodes, moves.
fn thought(info: &Info, prefix: &str) -> String {
    let score = match (info.score.centistones(), info.score.moves_to_end()) {
        (Some(centistones), _) => centistones,
        (None, Some(moves)) if moves > 0 => 100_000 + moves,
        (None, moves) => -100_000 + moves.unwrap_or(0),
    };
    let line: Vec<String> = info.pv.iter().map(Move::to_string).collect();
    let mark = match info.bound {
        Bound::Exact => "",
        Bound::Lower => "!",
        Bound::Upper => "?",
    };
    let time = info.time.as_millis() / 10;
    format!(
        "{} {score} {time} {} {prefix}{}{mark}",
        info.depth,
        info.nodes,
        line.join(" ")
    )
}
