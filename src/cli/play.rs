//! `alquerque play`: a game in the terminal.

use std::io::{self, BufReader, Write};
use std::time::Duration;

use clap::{Args, ValueEnum};

use alquerque::engine::{Engine, levels};
use alquerque::protocol::{Lattice, Lines, RecordScore};
use alquerque::rules::{Game, Move, Position, Side};
use alquerque::search::{Info, Limits, Signal};

use super::engine;

const HELP: &str = "\
  c2c3         make a move: every point the stone touches
  1, 2, ...    make the move with that number in the list that 'moves' prints
  moves        list the legal moves
  hint         what the engine would play
  undo         take back your last move and the answer to it
  level N      change the level
  swap         change sides
  board        draw the board again
  position     print the position
  new          begin again
  quit         leave";

/// Time for a move at full strength, and for a hint.
const MOVETIME: Duration = Duration::from_secs(1);

#[derive(Args)]
pub(super) struct Arguments {
    /// How well the engine plays: 1 is a beginner, 7 is full strength
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=top_level()))]
    level: u8,
    /// The side you play
    #[arg(long, value_enum, default_value_t = Color::White)]
    side: Color,
    /// Where the game begins, as in 'b4/5/5/5/wb1b1 w' [default: the start]
    #[arg(long)]
    fen: Option<Position>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Color {
    White,
    Black,
}

/// The level that is full strength: one above the limited ones.
fn top_level() -> i64 {
    levels().count() as i64 + 1
}

pub(super) fn run(arguments: &Arguments) -> io::Result<()> {
    let mut table = Table {
        engine: engine(&[])?,
        start: arguments.fen.unwrap_or_else(Position::start),
        moves: Vec::new(),
        side: match arguments.side {
            Color::White => Side::White,
            Color::Black => Side::Black,
        },
        out: io::stdout(),
    };
    table.set_level(arguments.level)?;
    table.update()?;
    table.show("Type a move (as in c2c3), 'hint', 'undo' or 'help'.")?;
    table.answer()?;
    for line in Lines(BufReader::new(io::stdin())) {
        if line.trim() == "quit" {
            break;
        }
        table.obey(line.trim())?;
    }
    Ok(())
}

/// A game between a person and the engine.
struct Table<W> {
    engine: Engine,
    start: Position,
    moves: Vec<Move>,
    /// The person's.
    side: Side,
    out: W,
}

impl<W: Write> Table<W> {
    fn obey(&mut self, line: &str) -> io::Result<()> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => self.prompt(),
            ["help" | "?"] => self.say(HELP),
            ["board"] => self.show(""),
            ["position"] => {
                let text = self.game().position().to_string();
                self.say(&text)
            }
            ["moves"] => self.list(),
            ["hint"] => self.hint(),
            ["undo"] => self.undo(),
            ["new"] => {
                self.engine.new_game();
                self.moves.clear();
                self.restart("A new game.")
            }
            ["swap"] => {
                self.side = self.side.other();
                self.restart(&format!("You play {}.", self.side))
            }
            ["level", text] => match text.parse() {
                Ok(level) if (1..=top_level()).contains(&i64::from(level)) => {
                    self.set_level(level)?;
                    self.say(&format!("Level {level}."))
                }
                _ => self.say(&format!("A level is a number from 1 to {}.", top_level())),
            },
            [text] => self.play(text),
            _ => self.say(&format!("'{line}' is not understood; try: help")),
        }
    }

    fn game(&self) -> &Game {
        self.engine.game()
    }

    /// Prints a line and asks for the next.
    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")?;
        self.prompt()
    }

    fn prompt(&mut self) -> io::Result<()> {
        write!(self.out, "{}> ", self.game().position().side())?;
        self.out.flush()
    }

    /// Draws the board, and says so.
    fn show(&mut self, text: &str) -> io::Result<()> {
        let position = self.engine.game().position();
        writeln!(self.out, "\n{}\n", Lattice(position))?;
        match self.game().outcome() {
            Some(outcome) => self.say(&format!(
                "{outcome}. 'new' begins again, 'undo' takes back."
            )),
            None if text.is_empty() => self.prompt(),
            None => self.say(text),
        }
    }

    fn set_level(&mut self, level: u8) -> io::Result<()> {
        let elo = levels().nth(usize::from(level) - 1);
        let mut set = |name: &str, value: &str| {
            let set = self.engine.set_option(name, Some(value));
            set.map(drop).map_err(io::Error::other)
        };
        set("UCI_LimitStrength", &elo.is_some().to_string())?;
        elo.map_or(Ok(()), |elo| set("UCI_Elo", &elo.to_string()))
    }

    /// Sets the engine's game to the moves made.
    fn update(&mut self) -> io::Result<()> {
        let moves: Vec<String> = self.moves.iter().map(Move::to_string).collect();
        let set = self.engine.set_position(self.start, &moves);
        set.map(drop).map_err(io::Error::other)
    }

    fn restart(&mut self, text: &str) -> io::Result<()> {
        self.update()?;
        self.show(text)?;
        self.answer()
    }

    /// The legal moves in the order of their numbers.
    fn legal(&self) -> Vec<Move> {
        match self.game().outcome() {
            None => self.game().position().board().moves(),
            Some(_) => Vec::new(),
        }
    }

    fn list(&mut self) -> io::Result<()> {
        let moves = self.legal();
        let numbered = moves
            .iter()
            .enumerate()
            .map(|(index, mv)| format!("{:>3} {mv}", index + 1));
        let text: Vec<String> = numbered.collect();
        self.say(&text.join("\n"))
    }

    fn play(&mut self, text: &str) -> io::Result<()> {
        if let Some(outcome) = self.game().outcome() {
            return self.say(&format!("The game is over: {outcome}."));
        }
        let number = text.parse::<usize>().ok();
        let numbered = number.and_then(|n| self.legal().get(n.checked_sub(1)?).copied());
        let mv = match (numbered, text.parse::<Move>()) {
            (Some(mv), _) | (None, Ok(mv)) => mv,
            (None, Err(_)) if number.is_some() => {
                return self.say("There is no move with that number; try: moves");
            }
            (None, Err(error)) => return self.say(&format!("{error}; try: help")),
        };
        if let Err(reason) = mv.check(self.game().position().board()) {
            return self.say(&format!("{mv} is not legal: {reason}. Try: moves"));
        }
        self.moves.push(mv);
        self.update()?;
        self.show("")?;
        self.answer()
    }

    /// Lets the engine move if it is its turn.
    fn answer(&mut self) -> io::Result<()> {
        if self.game().position().side() == self.side || self.game().outcome().is_some() {
            return Ok(());
        }
        let Some((mv, _)) = self.think()? else {
            return Ok(());
        };
        let side = self.game().position().side();
        self.moves.push(mv);
        self.update()?;
        self.show(&format!("{side} plays {mv}."))
    }

    fn think(&mut self) -> io::Result<Option<(Move, Option<Info>)>> {
        let limits = Limits {
            movetime: Some(MOVETIME),
            ..Limits::default()
        };
        let mut best = None;
        let found = self.engine.go(limits, &Signal::default(), &mut |info| {
            if info.multipv == 1 {
                best = Some(info.clone());
            }
        });
        let found = found.map_err(io::Error::other)?;
        Ok(found.best.map(|mv| (mv, best)))
    }

    /// What the engine would play at full strength.
    fn hint(&mut self) -> io::Result<()> {
        // Analysis is never limited.
        self.analyse(true)?;
        let found = self.think();
        self.analyse(false)?;
        match found? {
            Some((mv, Some(info))) => {
                let line: Vec<String> = info.pv.iter().map(Move::to_string).collect();
                let score = RecordScore::from(info.score);
                self.say(&format!("Try {mv} ({score}: {})", line.join(" ")))
            }
            Some((mv, None)) => self.say(&format!("Try {mv}")),
            None => self.say("The game is over."),
        }
    }

    fn analyse(&mut self, on: bool) -> io::Result<()> {
        let set = self
            .engine
            .set_option("UCI_AnalyseMode", Some(&on.to_string()));
        set.map(drop).map_err(io::Error::other)
    }

    /// Takes back to the person's turn before.
    fn undo(&mut self) -> io::Result<()> {
        let mine = self.game().position().side() == self.side;
        let count = if mine { 2 } else { 1 };
        if self.moves.len() < count {
            return self.say("There is nothing to take back.");
        }
        self.moves.truncate(self.moves.len() - count);
        self.update()?;
        self.show("Taken back.")
    }
}
