//! What may go out: replies, and how each becomes text.

use std::fmt;

use super::board::Drawing;
use crate::engine::{OPTIONS, OptionKind, OptionSpec};
use crate::rules::{Game, Move, Outcome, Side};
use crate::search::{Bound, CurrentMove, Evaluation, Info, Score, UNIT, chances};

/// A reply of one or more lines, without the last line end.
pub enum Reply<'a> {
    /// Name, author and options; then `uciok` or `ugiok`, as given.
    Id(&'static str),
    /// Ready for commands.
    ReadyOk,
    /// A line of thought.
    Info {
        /// The line.
        info: Info,
        /// Whether to add the chances of win, draw and loss.
        wdl: bool,
    },
    /// The move a long search looks at.
    CurrentMove(CurrentMove),
    /// The move to play and the expected reply.
    BestMove(Option<Move>, Option<Move>),
    /// The answer to a `query`.
    Response(String),
    /// Something that is good to know.
    Note(String),
    /// What was wrong with a command, which is ignored.
    Error(String),
    /// The board.
    Board(&'a Game),
    /// The static evaluation.
    Eval(&'a Game),
    /// Counts of move sequences.
    Perft(PerftReport),
    /// The list of commands.
    Help,
    /// A line for people and scripts, as it is.
    Text(String),
}

impl fmt::Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id(ok) => id(f, ok),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info { info, wdl } => write_info(f, info, *wdl),
            Reply::CurrentMove(CurrentMove { depth, mv, number }) => {
                write!(
                    f,
                    "info depth {depth} currmove {mv} currmovenumber {number}"
                )
            }
            Reply::BestMove(None, _) => f.write_str("bestmove (none)"),
            Reply::BestMove(Some(best), None) => write!(f, "bestmove {best}"),
            Reply::BestMove(Some(best), Some(reply)) => write!(f, "bestmove {best} ponder {reply}"),
            Reply::Response(text) => write!(f, "response {text}"),
            Reply::Note(text) => write!(f, "info string {}", printable(text)),
            Reply::Error(text) => write!(f, "info string error: {}", printable(text)),
            Reply::Board(game) => Drawing(game).fmt(f),
            Reply::Eval(game) => eval(f, game),
            Reply::Perft(report) => report.fmt(f),
            Reply::Help => f.write_str(HELP),
            Reply::Text(text) => f.write_str(text),
        }
    }
}

/// Long input is quoted by its beginning only.
pub(super) fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Input may be quoted in a message; it must not break the line or move a cursor.
pub(super) fn printable(text: &str) -> String {
    let shown = |c: char| if c.is_control() { '?' } else { c };
    text.chars().map(shown).collect()
}

fn id(f: &mut fmt::Formatter<'_>, ok: &str) -> fmt::Result {
    writeln!(f, "id name Alquerque {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(f, "id author the Alquerque developers")?;
    for OptionSpec { name, kind, .. } in OPTIONS {
        write!(f, "option name {name} type ")?;
        match kind {
            OptionKind::Check(default) => writeln!(f, "check default {default}")?,
            OptionKind::Spin { default, min, max } => {
                writeln!(f, "spin default {default} min {min} max {max}")?;
            }
            OptionKind::Button => writeln!(f, "button")?,
            OptionKind::Text => writeln!(f, "string default <empty>")?,
        }
    }
    f.write_str(ok)
}

fn write_info(f: &mut fmt::Formatter<'_>, info: &Info, wdl: bool) -> fmt::Result {
    write!(
        f,
        "info depth {} seldepth {} multipv {} score {}",
        info.depth, info.seldepth, info.multipv, info.score
    )?;
    if wdl {
        let (win, draw, loss) = thousandths(info.score);
        write!(f, " wdl {win} {draw} {loss}")?;
    }
    f.write_str(match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    })?;
    let micros = info.time.as_micros().max(1);
    let nps = u128::from(info.nodes) * 1_000_000 / micros;
    write!(
        f,
        " nodes {} nps {nps} hashfull {} tbhits {} time {}",
        info.nodes,
        info.hashfull,
        info.table_hits,
        info.time.as_millis()
    )?;
    if !info.pv.is_empty() {
        f.write_str(" pv")?;
    }
    info.pv.iter().try_for_each(|mv| write!(f, " {mv}"))
}

/// Chances of win, draw and loss in thousandths. Proven ends are certain.
fn thousandths(score: Score) -> (u32, u32, u32) {
    let Some(lead) = score.centistones() else {
        return if score.is_win() {
            (1000, 0, 0)
        } else {
            (0, 0, 1000)
        };
    };
    let [win, _, loss] = chances(lead as f32 / UNIT).map(|chance| (1000.0 * chance).round() as u32);
    (win, 1000 - win - loss, loss)
}

fn eval(f: &mut fmt::Formatter<'_>, game: &Game) -> fmt::Result {
    if let Some(outcome) = game.outcome() {
        return write!(f, "no evaluation, the game is over: {outcome}");
    }
    let board = game.position().board();
    let terms = Evaluation::shipped().terms(board);
    let side = game.position().side();
    writeln!(
        f,
        "Static evaluation in hundredths of a stone, from {side}'s side (to move):"
    )?;
    for (name, value) in [
        ("material", terms.material),
        ("corners", terms.corners),
        ("edges", terms.edges),
        ("centre", terms.centre),
        ("mobility", terms.mobility),
        ("threats", terms.threats),
    ] {
        writeln!(f, "{name:<10}{value:>7}")?;
    }
    write!(f, "{:<10}{:>7}", "total", terms.total())?;
    if board.can_capture() {
        write!(
            f,
            "\nA capture exists: the search plays it out before it evaluates."
        )?;
    }
    Ok(())
}

/// Counts of move sequences below each move.
pub struct PerftReport(pub Vec<(Move, u64)>);

impl PerftReport {
    /// All sequences.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|&(_, count)| count).sum()
    }
}

impl fmt::Display for PerftReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (mv, count) in &self.0 {
            writeln!(f, "{mv}: {count}")?;
        }
        write!(f, "\nNodes searched: {}", self.total())
    }
}

/// The result of a finished game in a word.
pub(super) fn result_word(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "none",
        Some(Outcome::Win(Side::White, _)) => "p1win",
        Some(Outcome::Win(Side::Black, _)) => "p2win",
        Some(Outcome::Draw(_)) => "draw",
    }
}

const HELP: &str = "\
Commands (protocol.md describes them all):
  position startpos [moves c2c3 ...]   set up the starting position and make moves
  position fen FEN [moves ...]         set up another one: bbbbb/bbbbb/bb1ww/wwwww/wwwww w
  go movetime 1000                     search for a second; also depth N, nodes N, mate N,
                                       infinite, ponder, searchmoves M..., wtime btime winc binc
  stop, ponderhit, wait                end a search, play on, wait for its end
  d, eval                              draw the board, explain the evaluation
  perft N, bench                       count moves, measure the search
  setoption name Hash value 64         set an option; uci lists them
  query gameover|p1turn|p2turn|result|fen|islegal MOVE
  uci, ugi, isready, ucinewgame, debug, quit";
