//! `alquerque d`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use alquerque::protocol::{Diagram, Drawing, Setup};
use alquerque::rules::{Move, Position};

use super::{engine, game_of};

#[derive(Args)]
pub(super) struct Arguments {
    /// The position, as in 'bbbbb/bbbbb/bb1ww/wwwww/wwwww w' [default: the start]
    #[arg(long)]
    fen: Option<Position>,
    /// Moves from there, as in --moves c2c3 c4c2; the last one is marked in an SVG drawing
    #[arg(long, num_args = 1..)]
    moves: Vec<String>,
    /// Write a drawing for papers and web pages to FILE (- for standard output)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw an arrow along a move, as in --arrow c2c3 or --arrow d4d2b4; may be repeated
    #[arg(long = "arrow", value_name = "MOVE", requires = "svg")]
    arrows: Vec<Move>,
    /// Do not mark the last move
    #[arg(long, requires = "svg")]
    plain: bool,
}

pub(super) fn run(arguments: &Arguments) -> io::Result<()> {
    let setup = Setup {
        position: arguments.fen.unwrap_or_else(Position::start),
        moves: arguments.moves.clone(),
    };
    let game = game_of(&mut engine(&[])?, &setup)?;
    let mut out = io::stdout();
    let Some(file) = &arguments.svg else {
        return writeln!(out, "{}", Drawing(&game));
    };
    let last = arguments.moves.last().filter(|_| !arguments.plain);
    let diagram = Diagram {
        position: game.position(),
        // The move was read and made above.
        last_move: last.and_then(|text| text.parse().ok()),
        arrows: &arguments.arrows,
    };
    match file.as_os_str() == "-" {
        true => writeln!(out, "{diagram}"),
        false => fs::write(file, format!("{diagram}\n"))
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", file.display()))),
    }
}
