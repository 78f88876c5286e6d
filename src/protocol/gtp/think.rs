//! Searches of a session: moves, the best move and the value for the analyse commands.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::request::{Request, vertex};
use super::rules;
use super::session::{Answer, Session};
use crate::protocol::RecordScore;
use crate::protocol::reply::Reply;
use crate::protocol::task::{Task, Work};
use crate::rules::{Game, Move};
use crate::search::{BestMove, Info, Limits};
use crate::tables::{Exact, Wdl};

/// Thinking time without clocks, and for the analyse commands.
const MOVETIME: Duration = Duration::from_secs(1);

/// A search that is to be answered.
pub(super) struct Search {
    pub task: Task,
    start: Instant,
    request: Request,
    purpose: Purpose,
    best: Option<Info>,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Play the next point.
    Play,
    /// Only name it.
    Name,
    /// Tell the whole move and the expected line.
    BestMove,
    /// The same, to be drawn.
    Graphics,
    /// Tell the value.
    Value,
}

impl<W: Write> Session<W> {
    /// Starts a search, unless the answer is known.
    pub(super) fn think(&mut self, request: &Request, purpose: Purpose) -> Answer {
        let game = &self.game;
        let play = matches!(purpose, Purpose::Play | Purpose::Name);
        if play && request.color(0)? != game.side() {
            let color = rules::color(game.side());
            return Err(format!("it is {color}'s turn"));
        }
        if let Some(outcome) = game.outcome() {
            return Err(format!("the game is over: {outcome}"));
        }
        if play && let Some(text) = self.go_on(purpose) {
            return Ok(Some(text));
        }
        let clock = self.clocks.clock(self.game.side()).filter(|_| play);
        let limits = Limits {
            movetime: clock.is_none().then_some(MOVETIME),
            clock,
            // A turn in progress must be gone on with.
            search_moves: match self.game.path() {
                [] => Vec::new(),
                _ => self.game.continuations(),
            },
            ..Limits::default()
        };
        let moves: Vec<String> = self.game.moves().iter().map(Move::to_string).collect();
        let set = self.engine.set_position(self.game.start(), &moves);
        set.map_err(|error| error.to_string())?;
        let job = self
            .engine
            .prepare(limits)
            .map_err(|error| error.to_string())?;
        let work = Work::Search { job, wdl: false };
        self.search = Some(Search {
            task: Task::start(work, self.events.clone()).map_err(|error| error.to_string())?,
            start: Instant::now(),
            request: request.clone(),
            purpose,
            best: None,
        });
        Ok(None)
    }

    /// The next point of the turn that was begun, if there is one.
    fn go_on(&mut self, purpose: Purpose) -> Option<String> {
        let (position, mv) = self.plan?;
        let path = self.game.path();
        if *self.game.game().position() != position || !mv.path().starts_with(path) {
            return None;
        }
        let point = *mv.path().get(path.len())?;
        if purpose == Purpose::Play {
            self.game.push(point).ok()?;
        }
        Some(vertex(point))
    }

    pub(super) fn note(&mut self, reply: Reply<'static>) {
        if let (Some(search), Reply::Info { info, .. }) = (&mut self.search, reply)
            && info.multipv == 1
        {
            search.best = Some(info);
        }
    }

    pub(super) fn done(&mut self, found: Option<BestMove>) -> io::Result<()> {
        let Some(search) = self.search.take() else {
            return Ok(());
        };
        if search.purpose == Purpose::Play {
            self.clocks.spend(self.game.side(), search.start.elapsed());
        }
        let best = found.and_then(|found| found.best);
        let result = match (search.purpose, best) {
            (_, None) => Err("no move was found".to_owned()),
            (Purpose::Play | Purpose::Name, Some(mv)) => {
                self.plan = Some((*self.game.game().position(), mv));
                let point = self.go_on(search.purpose);
                point.ok_or_else(|| "no move was found".to_owned())
            }
            (Purpose::Graphics, Some(mv)) => Ok(graphics(&mv)),
            (Purpose::BestMove, Some(mv)) => Ok(sentence(mv, search.best.as_ref())),
            (Purpose::Value, Some(_)) => {
                let game = self.game.game();
                let exact = self.engine.tables().exact(game.position().board());
                Ok(match exact {
                    Some(exact) => known(game, exact),
                    None => value(game, search.best.as_ref()),
                })
            }
        };
        self.answer(&search.request, &result)
    }
}

/// The points of a move, numbered.
fn graphics(mv: &Move) -> String {
    let label = |(index, &point)| format!("LABEL {} {}", vertex(point), index + 1);
    let labels: Vec<String> = mv.path().iter().enumerate().map(label).collect();
    labels.join("\n")
}

fn sentence(mv: Move, best: Option<&Info>) -> String {
    let Some(info) = best else {
        return mv.to_string();
    };
    let line: Vec<String> = info.pv.iter().map(Move::to_string).collect();
    let score = RecordScore::from(info.score);
    format!("{mv} ({score}, depth {}, {})", info.depth, line.join(" "))
}

/// What tables say.
fn known(game: &Game, exact: Exact) -> String {
    let side = game.position().side();
    let winner = match exact.wdl {
        Wdl::Win => side,
        Wdl::Loss => side.other(),
        Wdl::Draw => return "draw".to_owned(),
    };
    match exact.distance.plies() {
        Some(plies) => format!("win for {winner} in {plies} plies"),
        None => format!("win for {winner}"),
    }
}

/// What a search says.
fn value(game: &Game, best: Option<&Info>) -> String {
    let Some(info) = best else {
        return "unknown".to_owned();
    };
    let side = game.position().side();
    match info.score.plies_to_end() {
        Some(plies) if plies > 0 => format!("win for {side} in {plies} plies"),
        Some(plies) => format!("win for {} in {} plies", side.other(), -plies),
        None => {
            let score = RecordScore::from(info.score);
            format!(
                "not proven; {side} is to move at {score} (depth {})",
                info.depth
            )
        }
    }
}
