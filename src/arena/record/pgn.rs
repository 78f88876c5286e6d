//! Games in PGN shape: tags, moves as paths, comments `{+0.10/12 0.050s 4711n}`.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::arena::engine::Score;
use crate::arena::game::{GameRecord, MoveRecord};
use crate::rules::{Position, Side};

/// A file that takes games as they end.
pub struct PgnFile {
    file: File,
    path: PathBuf,
}

impl PgnFile {
    /// Makes the file anew with the games in it so far, which come from `games`. The old file stays
    /// until the new one is whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn rewrite(
        path: &Path,
        games: impl FnOnce(&mut dyn FnMut(&GameRecord)),
    ) -> io::Result<PgnFile> {
        let is_file = !path.exists() || path.is_file();
        let target = match is_file {
            true => path.with_extension("pgn.new"),
            // A device or a pipe cannot be renamed.
            false => path.to_owned(),
        };
        let mut out = BufWriter::new(File::create(&target)?);
        let mut written = Ok(());
        games(&mut |record| {
            if written.is_ok() {
                written = out.write_all(write_game(record).as_bytes());
            }
        });
        written?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if is_file {
            std::fs::rename(&target, path)?;
        }
        Ok(PgnFile {
            file,
            path: path.to_owned(),
        })
    }

    /// Writes a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        self.file.write_all(write_game(record).as_bytes())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The text of a game, a blank line at its end.
pub fn write_game(record: &GameRecord) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let quoted: String = value.replace('\\', "\\\\").replace('"', "\\\"");
        // A line break would end the tag.
        let quoted = quoted.replace(|c: char| c.is_control(), " ");
        text += &format!("[{name} \"{quoted}\"]\n");
    };
    let date = record
        .started
        .get(..10)
        .unwrap_or("????.??.??")
        .replace('-', ".");
    tag(
        "Event",
        &format!("{} against {}", record.white, record.black),
    );
    tag("Site", "?");
    tag("Date", &date);
    tag("Round", &format!("{}.{}", record.pair, 2 - record.game % 2));
    tag("White", &record.white);
    tag("Black", &record.black);
    tag("Result", record.result.text());
    tag("Variant", "Alquerque");
    let start = record.position != Position::start().to_string();
    if start {
        tag("SetUp", "1");
        tag("FEN", &record.position);
    }
    tag("PlyCount", &record.plies.to_string());
    let [white, black] = &record.time_controls;
    match white == black {
        true => tag("TimeControl", white),
        false => {
            tag("WhiteTimeControl", white);
            tag("BlackTimeControl", black);
        }
    }
    tag("NoCaptureLimit", &record.no_capture_limit.to_string());
    tag("UTCTime", record.started.get(11..19).unwrap_or("??:??:??"));
    tag("Termination", record.reason.pgn());
    tag("Reason", record.reason.word());
    if let Some(detail) = &record.detail {
        tag("Detail", detail);
    }
    for note in &record.notes {
        tag(
            "Note",
            &format!("{}, before ply {}: {}", note.engine, note.ply, note.text),
        );
    }
    text.push('\n');
    text += &move_text(record);
    text += "\n\n";
    text
}

fn move_text(record: &GameRecord) -> String {
    // A record that does not begin with a position is numbered like a game from the start.
    let start: Position = record
        .position
        .parse()
        .unwrap_or_else(|_| Position::start());
    let (mut side, mut number) = (start.side(), start.move_number());
    let mut words = Vec::new();
    for (ply, mv) in record.moves.iter().enumerate() {
        match side {
            Side::White => words.push(format!("{number}.")),
            Side::Black if ply == 0 => words.push(format!("{number}...")),
            Side::Black => {}
        }
        words.push(mv.text.clone());
        words.extend(
            comment(mv)
                .split(' ')
                .filter(|w| !w.is_empty())
                .map(str::to_owned),
        );
        number += u32::from(side == Side::Black);
        side = side.other();
    }
    words.push(record.result.text().to_owned());
    wrap(&words)
}

/// `{+0.10/12 0.050s 4711n}`, as far as it is known; nothing for a move of the opening.
fn comment(mv: &MoveRecord) -> String {
    let Some(ms) = mv.ms else {
        return "{book}".to_owned();
    };
    let mut text = "{".to_owned();
    match mv.score {
        Some(Score::Cp(cp)) => {
            let _ = write!(text, "{:+.2}", f64::from(cp) / 100.0);
        }
        Some(Score::Mate(moves)) => {
            let _ = write!(
                text,
                "{}M{}",
                if moves > 0 { '+' } else { '-' },
                moves.abs()
            );
        }
        None => {}
    }
    if let (Some(_), Some(depth)) = (mv.score, mv.depth) {
        let _ = write!(text, "/{depth}");
    }
    let gap = if text.len() > 1 { " " } else { "" };
    let _ = write!(text, "{gap}{:.3}s", ms / 1000.0);
    if let Some(nodes) = mv.nodes {
        let _ = write!(text, " {nodes}n");
    }
    text.push('}');
    text
}

/// Joins words into lines of at most 80 characters, as the standard asks.
fn wrap(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        match column + 1 + word.len() > 80 && column > 0 {
            true => {
                text.push('\n');
                column = 0;
            }
            false if column > 0 => {
                text.push(' ');
                column += 1;
            }
            false => {}
        }
        text += word;
        column += word.len();
    }
    text
}
