//! The real XBoard on a virtual screen. Skipped, loudly, where xboard, Xvfb or xdotool is missing.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
/// The colour of scripts/xboard/board-5x5.png between its lines.
const WOOD: [u8; 3] = [0xf4, 0xea, 0xd2];
/// The tip that XBoard shows when it starts.
const TIP: [u8; 3] = [0xcc, 0xcc, 0x66];
/// XBoard's mark for a victim.
const CYAN: [u8; 3] = [0, 255, 255];

/// Whether the programs are there; where they are not, says so.
fn is_possible() -> bool {
    let path = format!("{}:/usr/games", std::env::var("PATH").unwrap_or_default());
    let there = |name: &str| {
        path.split(':')
            .any(|dir| PathBuf::from(dir).join(name).is_file())
    };
    let missing: Vec<&str> = ["xboard", "Xvfb", "xdotool"]
        .into_iter()
        .filter(|name| !there(name))
        .collect();
    if !missing.is_empty() {
        // Past the capture of the test harness, which would swallow it.
        let text = format!("\n*** SKIPPED: the tests with the real XBoard need {missing:?} ***\n");
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
    missing.is_empty()
}

/// A process that ends with the test.
struct Guarded(Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A screen of its own, with a directory for everything that is written.
struct Screen {
    // Dropped in this order: XBoard before its screen.
    xboard: Option<Guarded>,
    _server: Guarded,
    display: String,
    directory: PathBuf,
}

impl Screen {
    fn open(name: &str) -> Screen {
        let directory =
            std::env::temp_dir().join(format!("alquerque-{name}-{}", std::process::id()));
        fs::create_dir_all(&directory).expect("a directory for the test");
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1024x768x24", "-fbdir"])
            .arg(&directory)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        let stdout = server.stdout.take().expect("stdout is piped");
        let server = Guarded(server);
        BufReader::new(stdout)
            .read_line(&mut number)
            .expect("Xvfb tells its display");
        Screen {
            xboard: None,
            _server: server,
            display: format!(":{}", number.trim()),
            directory,
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    fn start_xboard(&mut self, arguments: &[&str]) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/xboard.sh");
        let child = Command::new(script)
            .args(["-debug", "-nameOfDebugFile"])
            .arg(self.file("debug"))
            .args([
                "-searchDepth",
                "6",
                "-popupExitMessage",
                "false",
                "-highlightMoveWithArrow",
                "false",
                "-showThinking",
                "false",
            ])
            .args(arguments)
            .env("ALQUERQUE", env!("CARGO_BIN_EXE_alquerque"))
            .env("DISPLAY", &self.display)
            .env("HOME", &self.directory)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.xboard = Some(Guarded(child.expect("XBoard starts")));
    }

    /// What XBoard and the engine have said to each other.
    fn debug(&self) -> String {
        let bytes = fs::read(self.file("debug")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn wait_for(&self, what: &str, found: impl Fn(&Screen) -> bool) {
        let start = Instant::now();
        while !found(self) {
            assert!(
                start.elapsed() < PATIENCE,
                "{what} in time; on the screen: {:?}; so far:\n{}",
                self.stones(),
                self.debug()
            );
            sleep(Duration::from_millis(100));
        }
    }

    fn wait_for_text(&self, text: &str) {
        self.wait_for(text, |screen| screen.debug().contains(text));
    }

    fn wait_for_board(&self, board: &str) {
        self.wait_for(board, |screen| screen.stones().as_deref() == Some(board));
    }

    /// Waits for the board after the start, and clicks away the tip that XBoard lays over it.
    fn wait_for_start(&self, board: &str) {
        self.wait_for(board, |screen| {
            if let Some(place) = screen.picture().find(TIP) {
                screen.click_at(place);
            }
            screen.stones().as_deref() == Some(board)
        });
    }

    fn picture(&self) -> Picture {
        Picture(fs::read(self.file("Xvfb_screen0")).expect("Xvfb writes its screen to a file"))
    }

    /// The stones seen on the screen, rank 5 first; `None` without a board.
    fn stones(&self) -> Option<String> {
        let picture = self.picture();
        let board = picture.board()?;
        let rank = |rank: u32| {
            (0..5)
                .map(|file| board.stone(&picture, file, rank))
                .collect()
        };
        let ranks: Vec<String> = (0..5).rev().map(rank).collect();
        Some(ranks.join("/"))
    }

    fn is_marked(&self, point: &str) -> bool {
        let picture = self.picture();
        let (file, rank) = coordinates(point);
        let board = picture.board();
        board.is_some_and(|board| board.pixel(&picture, file, rank, (0.0, 0.0)) == CYAN)
    }

    fn click(&self, point: &str) {
        let board = self.picture().board().expect("the board is on the screen");
        let (file, rank) = coordinates(point);
        self.click_at(board.place(file, rank, (0.0, 0.0)));
    }

    /// Clicks on points until it shows: where much else is going on, XBoard now and then misses a
    /// click.
    fn click_until(&self, points: &[&str], what: &str, shows: impl Fn(&Screen) -> bool) {
        self.wait_for(what, |screen| {
            points.iter().for_each(|point| screen.click(point));
            (0..30).any(|_| {
                sleep(Duration::from_millis(100));
                shows(screen)
            })
        });
    }

    fn click_at(&self, (x, y): (usize, usize)) {
        for arguments in [
            &["mousemove", &x.to_string(), &y.to_string()][..],
            &["click", "1"],
        ] {
            let status = Command::new("xdotool")
                .args(arguments)
                .env("DISPLAY", &self.display)
                .status();
            assert!(
                status.is_ok_and(|status| status.success()),
                "xdotool {arguments:?}"
            );
            sleep(Duration::from_millis(200));
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.xboard = None;
        let _ = fs::remove_dir_all(&self.directory);
    }
}

fn coordinates(point: &str) -> (u32, u32) {
    let bytes = point.as_bytes();
    (u32::from(bytes[0] - b'a'), u32::from(bytes[1] - b'1'))
}

/// A screen in the format of X window dumps.
struct Picture(Vec<u8>);

impl Picture {
    fn word(&self, index: usize) -> usize {
        let bytes = self
            .0
            .get(4 * index..4 * index + 4)
            .and_then(|b| b.try_into().ok());
        u32::from_be_bytes(bytes.unwrap_or_default()) as usize
    }

    fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        // Header and colour table come first, then lines of four bytes a pixel, blue first.
        let start = self.word(0) + 12 * self.word(19);
        let at = start + y * self.word(12) + 4 * x;
        let bytes = self.0.get(at..at + 3).unwrap_or(&[0; 3]);
        [bytes[2], bytes[1], bytes[0]]
    }

    /// A place of this colour, well inside.
    fn find(&self, color: [u8; 3]) -> Option<(usize, usize)> {
        let (width, height) = (self.word(4).checked_sub(10)?, self.word(5).checked_sub(10)?);
        let inside =
            |x: usize, y: usize| self.pixel(x, y) == color && self.pixel(x + 9, y + 9) == color;
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let mut found = places.filter(|&(x, y)| inside(x, y));
        found.next().map(|(x, y)| (x + 5, y + 5))
    }

    /// Where the board is: the wooden part of the screen.
    fn board(&self) -> Option<Place> {
        let (width, height) = (self.word(4), self.word(5));
        let is_wood = |&(x, y): &(usize, usize)| self.pixel(x, y) == WOOD;
        let wood: Vec<(usize, usize)> = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .filter(is_wood)
            .collect();
        let left = wood.iter().map(|p| p.0).min()?;
        let right = wood.iter().map(|p| p.0).max()?;
        let top = wood.iter().map(|p| p.1).min()?;
        let size = (right - left + 1) as f64 / 5.0;
        (size > 20.0).then_some(Place {
            left: left as f64,
            top: top as f64,
            size,
        })
    }
}

/// The board on the screen: its corner and the size of a square.
struct Place {
    left: f64,
    top: f64,
    size: f64,
}

impl Place {
    /// A place near a point, with a distance from it in squares.
    fn place(&self, file: u32, rank: u32, (right, up): (f64, f64)) -> (usize, usize) {
        let x = self.left + self.size * (f64::from(file) + 0.5 + right);
        let y = self.top + self.size * (4.5 - f64::from(rank) - up);
        (x as usize, y as usize)
    }

    fn pixel(&self, picture: &Picture, file: u32, rank: u32, away: (f64, f64)) -> [u8; 3] {
        let (x, y) = self.place(file, rank, away);
        picture.pixel(x, y)
    }

    fn stone(&self, picture: &Picture, file: u32, rank: u32) -> char {
        // Off the lines, but within a stone.
        let color = self.pixel(picture, file, rank, (0.24, 0.1));
        match color {
            WOOD => '.',
            [red, _, _] if red < 100 => 'b',
            [255, 255, _] => 'w',
            _ => '?',
        }
    }
}

#[test]
fn two_engines_play_a_match_and_the_games_are_saved() {
    if !is_possible() {
        return;
    }
    let mut screen = Screen::open("match");
    let games = screen.file("games.pgn");
    let file = games.to_str().expect("a plain path").to_owned();
    screen.start_xboard(&["-matchGames", "2", "-saveGameFile", &file]);
    let start = Instant::now();
    let xboard = &mut screen.xboard.as_mut().expect("XBoard was started").0;
    let status = loop {
        if let Some(status) = xboard.try_wait().expect("XBoard can be asked") {
            break status;
        }
        assert!(start.elapsed() < PATIENCE, "the match does not end");
        sleep(Duration::from_millis(200));
    };
    let debug = screen.debug();
    assert!(status.success(), "{debug}");
    for wrong in [
        "Illegal move",
        "illegal move",
        "Error (",
        "exited unexpectedly",
    ] {
        assert!(!debug.contains(wrong), "{wrong}: {debug}");
    }
    let text = fs::read_to_string(&games).expect("the games were saved");
    assert_eq!(text.matches("[Variant \"alquerque\"]").count(), 2, "{text}");
    assert_eq!(text.matches("[Result \"*\"]").count(), 0, "{text}");
    // Each game has moves; a capture is written with its victim.
    assert_eq!(text.matches("\n1. M").count(), 2, "{text}");
    assert!(text.contains('x'), "{text}");
}

#[test]
fn a_person_captures_by_clicks() {
    if !is_possible() {
        return;
    }
    let mut screen = Screen::open("clicks");
    screen.start_xboard(&[]);
    screen.wait_for_start("bbbbb/bbbbb/bb.ww/wwwww/wwwww");
    // The only reply takes it.
    let taken = "bbbbb/bb.bb/bb.ww/wwbww/wwwww";
    screen.click_until(&["c2", "c3"], taken, |screen| {
        screen.stones().as_deref() == Some(taken)
    });
    screen.click_until(&["c1"], "the victim is marked", |screen| {
        screen.is_marked("c2")
    });
    screen.click("c2");
    screen.click("c3");
    screen.wait_for_text("c1c2,c2c3");
    // a3c1 and d4b2 are the replies.
    screen.wait_for("the engine's capture", |screen| {
        let stones = screen.stones().unwrap_or_default();
        stones.matches('w').count() <= 10 && stones.matches('b').count() == 11
    });
    assert!(
        !screen.debug().contains("Illegal move"),
        "{}",
        screen.debug()
    );
}

/// A script that starts the engine at a position: XBoard cannot quote arguments.
fn engine_at(screen: &Screen, position: &str) -> String {
    let file = screen.file("engine.sh");
    let program = env!("CARGO_BIN_EXE_alquerque");
    let text = format!("#!/bin/sh\nexec {program} xboard --fen '{position}'\n");
    fs::write(&file, text).expect("the script is written");
    format!("sh {}", file.display())
}

#[test]
fn chains_of_four_are_played_from_either_side() {
    if !is_possible() {
        return;
    }
    let mut screen = Screen::open("chain");
    let engine = engine_at(&screen, "4b/5/1b3/b1b2/wb3 w");
    screen.start_xboard(&["-fcp", &engine]);
    screen.wait_for_start("....b/...../.b.../b.b../wb...");
    ["a1", "a2", "b3", "c3"]
        .iter()
        .for_each(|point| screen.click(point));
    // The engine passes, and the same stone goes on.
    screen.wait_for_board("....b/...../..w../..b../.b...");
    screen.wait_for_text("move @@@@");
    ["c3", "c2", "b1", "a1"]
        .iter()
        .for_each(|point| screen.click(point));
    screen.wait_for("one stone each", |screen| {
        let stones = screen.stones().unwrap_or_default();
        stones.ends_with("/w....")
            && stones.matches('b').count() == 1
            && !stones.starts_with("....b/")
    });
    drop(screen);
    let mut screen = Screen::open("own-chain");
    let engine = engine_at(&screen, "4w/5/1w3/w1w2/bw3 w");
    screen.start_xboard(&["-fcp", &engine]);
    screen.wait_for_start("....w/...../.w.../w.w../bw...");
    screen.click("e5");
    screen.click("e4");
    screen.wait_for_board("...../....w/...../...../b....");
}
