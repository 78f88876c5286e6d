//! Exact tables against what is known from elsewhere and found by other means.

mod common;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use alquerque::rules::{Board, PointSet, Position, Symmetry};
use alquerque::tables::{Exact, Tables, Wdl, built_in};
use common::boards::boards;
use common::dask::Cluster;
use common::naive;
use proptest::prelude::*;
use tempfile::TempDir;

fn tables_command(arguments: &[&str], dir: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alquerque"))
        .arg("tables")
        .args(arguments)
        .arg("--dir")
        .arg(dir)
        .output()
        .expect("the program runs")
}

fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}

fn build(stones: &str, dir: &Path, more: &[&str]) {
    let output = tables_command(&[&["build", "--stones", stones], more].concat(), dir);
    assert!(output.status.success(), "{}", text(&output));
}

fn small_tables() -> Tables {
    built_in::get();
    Tables::default().with_built_in()
}

#[test]
fn every_slice_of_four_stones_counts_as_published() {
    let dir = TempDir::new().expect("a directory");
    build("4", dir.path(), &[]);
    let stats = tables_command(&["stats", "--csv"], dir.path());
    let mut counted: Vec<String> = text(&stats).lines().map(str::to_owned).collect();
    let known = include_str!("data/tables.csv");
    let mut known: Vec<&str> = known.lines().filter(|l| !l.starts_with('#')).collect();
    counted.sort();
    known.sort();
    assert_eq!(counted, known);
}

#[test]
fn single_positions_have_their_known_values() {
    let tables = small_tables();
    let known = include_str!("data/values.csv");
    let rows = known.lines().filter(|l| !l.starts_with(['#', 'p']));
    let mut checked = 0;
    for row in rows {
        let [fen, value, distance] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("three columns in {row}");
        };
        let position: Position = fen.parse().expect("a position");
        let exact = tables.exact(position.board()).expect("few stones");
        assert_eq!(exact.wdl.to_string(), value, "{fen}");
        if let Ok(plies) = distance.parse() {
            assert_eq!(exact.distance.plies(), Some(plies), "{fen}");
        }
        checked += 1;
    }
    assert_eq!(checked, 60);
}

/// Every placement of up to four stones, solved on letters by looking again and again.
#[test]
fn brute_force_on_letters_agrees_up_to_four_stones() {
    let mut grids = Vec::new();
    for (own, other) in [(1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3)] {
        place(['.'; 25], 0, own, other, &mut grids);
    }
    let numbers: HashMap<naive::Grid, usize> = grids
        .iter()
        .enumerate()
        .map(|(i, &grid)| (grid, i))
        .collect();
    // A side without stones has lost: such a child is a loss in no plies.
    let children: Vec<Vec<Option<usize>>> = grids
        .iter()
        .map(|grid| {
            let next = naive::children(grid);
            next.iter()
                .map(|child| numbers.get(child).copied())
                .collect()
        })
        .collect();
    let solved = solve(&children);
    let tables = small_tables();
    for (grid, value) in grids.iter().zip(solved) {
        let exact = tables.exact(board_of(grid)).expect("few stones");
        let expected = match value {
            None => (Wdl::Draw, None),
            Some(plies) if plies % 2 == 1 => (Wdl::Win, Some(plies)),
            Some(plies) => (Wdl::Loss, Some(plies)),
        };
        let plies = exact.distance.plies().filter(|_| exact.wdl != Wdl::Draw);
        assert_eq!((exact.wdl, plies), expected, "{grid:?}");
    }
    assert_eq!(numbers.len(), 191_500);
}

/// All grids with so many more stones from point `at` on.
fn place(grid: naive::Grid, at: usize, own: u32, other: u32, out: &mut Vec<naive::Grid>) {
    if own + other == 0 {
        out.push(grid);
        return;
    }
    if at == 25 {
        return;
    }
    place(grid, at + 1, own, other, out);
    for (letter, count) in [('o', own), ('x', other)] {
        if count > 0 {
            let mut next = grid;
            next[at] = letter;
            let left = |l| if l == letter { 1 } else { 0 };
            place(next, at + 1, own - left('o'), other - left('x'), out);
        }
    }
}

/// Plies to the end of each position, by sweeping over all of them once for every ply.
fn solve(children: &[Vec<Option<usize>>]) -> Vec<Option<u32>> {
    let mut plies: Vec<Option<u32>> = vec![None; children.len()];
    let known = |plies: &[Option<u32>], child: Option<usize>| child.map_or(Some(0), |c| plies[c]);
    for ply in 0..200 {
        let mut found = Vec::new();
        for (position, children) in children.iter().enumerate() {
            if plies[position].is_some() {
                continue;
            }
            let is_loss = |c: &Option<usize>| known(&plies, *c).is_some_and(|p| p % 2 == 0);
            let is_win = |c: &Option<usize>| known(&plies, *c).is_some_and(|p| p % 2 == 1);
            let decided = match ply % 2 {
                1 => children.iter().any(is_loss),
                _ => children.iter().all(is_win),
            };
            if decided {
                found.push(position);
            }
        }
        found
            .iter()
            .for_each(|&position| plies[position] = Some(ply));
    }
    plies
}

fn board_of(grid: &naive::Grid) -> Board {
    let set = |letter: char| {
        let points = (0..25).filter(|&i| grid[i] == letter);
        PointSet::from_bits(points.map(|i| 1 << i).sum())
    };
    Board {
        own: set('o'),
        other: set('x'),
    }
}

proptest! {
    #[test]
    fn the_eight_images_of_a_position_have_one_value(board in boards(2..=6)) {
        let tables = small_tables();
        let value = tables.exact(board);
        prop_assert!(value.is_some());
        for symmetry in Symmetry::all() {
            prop_assert_eq!(tables.exact(board.mapped(symmetry)), value);
        }
    }

    #[test]
    fn a_value_is_that_of_the_best_move(board in boards(2..=6)) {
        let tables = small_tables();
        let mut turns = Vec::new();
        board.effects(&mut turns);
        let values = turns.iter().filter_map(|&turn| tables.of_turn(board, turn));
        let best = values.max_by_key(|value| value.preference()).unwrap_or(Exact::LOST);
        let exact = tables.exact(board).expect("few stones");
        prop_assert_eq!(exact.wdl, best.wdl);
        prop_assert_eq!(exact.distance, best.distance);
    }
}

fn contents(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(dir)
        .expect("the directory is there")
        .map(|entry| {
            let entry = entry.expect("an entry");
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("a file"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn the_bytes_depend_neither_on_threads_nor_on_a_kill_in_the_middle() {
    let [one, two, killed] = [(); 3].map(|()| TempDir::new().expect("a directory"));
    build("7", one.path(), &["--threads", "1"]);
    build("7", two.path(), &["--threads", "2"]);
    let files = contents(one.path());
    assert!(files == contents(two.path()), "threads change the bytes");
    let mut child = Command::new(env!("CARGO_BIN_EXE_alquerque"))
        .args(["tables", "build", "--stones", "7", "--dir"])
        .arg(killed.path())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    let patience = Instant::now() + Duration::from_secs(60);
    // Once some slices are there, it is in the middle of another.
    while fs::read_dir(killed.path()).map_or(0, Iterator::count) < 10 {
        assert!(Instant::now() < patience, "no slices in a minute");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert!(
        contents(killed.path()).len() < files.len(),
        "it was killed too late"
    );
    build("7", killed.path(), &[]);
    assert!(
        contents(killed.path()) == files,
        "a kill leaves other files or bytes"
    );
}

#[test]
fn verify_finds_a_wrong_value_under_a_right_checksum() {
    let [good, other] = [(); 2].map(|()| TempDir::new().expect("a directory"));
    build("4", good.path(), &[]);
    let verdict = tables_command(&["verify"], good.path());
    assert!(verdict.status.success(), "{}", text(&verdict));
    // The distances to a capture are no distances to the end, in a file that says they are: its
    // header is made to fit.
    build("4", other.path(), &["--distances", "2"]);
    let mut bytes = fs::read(other.path().join("2-2.dtc")).expect("a file");
    bytes[10] = 1;
    let crc = crc32fast::hash(&bytes[..76]);
    bytes[76..80].copy_from_slice(&crc.to_le_bytes());
    fs::write(good.path().join("2-2.dtw"), bytes).expect("it can be written");
    let verdict = tables_command(&["verify"], good.path());
    assert!(!verdict.status.success());
    assert!(text(&verdict).contains("2,2: "), "{}", text(&verdict));
    assert!(text(&verdict).contains("follows"), "{}", text(&verdict));
}

#[test]
fn tables_beyond_the_distances_verify_too() {
    let dir = TempDir::new().expect("a directory");
    build("5", dir.path(), &["--distances", "3"]);
    let verdict = tables_command(&["verify"], dir.path());
    assert!(verdict.status.success(), "{}", text(&verdict));
    let (tables, refused) = Tables::open(dir.path());
    assert!(refused.is_empty());
    let small = small_tables();
    // The values are the same, however far away their ends are.
    for own in (0..22).map(|i| 0b11 << i) {
        for other in (0..22).map(|i| 0b111 << i).filter(|other| other & own == 0) {
            let board = Board {
                own: PointSet::from_bits(own),
                other: PointSet::from_bits(other),
            };
            let value = |tables: &Tables| tables.exact(board).map(|exact| exact.wdl);
            assert_eq!(value(&tables), value(&small));
        }
    }
}

#[test]
fn damaged_files_are_refused_by_name_and_reason() {
    let dir = TempDir::new().expect("a directory");
    build("3", dir.path(), &[]);
    let path = dir.path().join("2-1.wdl");
    let good = fs::read(&path).expect("a file");
    let with = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        bytes
    };
    let last = good.len() - 12;
    let cases: [(&str, Vec<u8>); 6] = [
        ("bytes instead of", good[..good.len() - 5].to_vec()),
        ("bytes instead of", good[..20].to_vec()),
        ("checksum of its body", with(last, good[last] ^ 4)),
        ("checksum of its header", with(13, 3)),
        ("version is 9", with(8, 9)),
        ("not a table of Alquerque", b"something else".to_vec()),
    ];
    for (reason, bytes) in cases {
        fs::write(&path, bytes).expect("it can be written");
        let (tables, refused) = Tables::open(dir.path());
        let [refused] = &refused[..] else {
            panic!("one file is refused, not {refused:?}");
        };
        let message = refused.to_string();
        assert!(
            message.contains("2-1.wdl") && message.contains(reason),
            "{message}"
        );
        // The engine goes on with the others.
        let board = Position::start().board();
        assert!(tables.exact(board).is_none());
        assert!(tables.has(1, 2) && tables.has(1, 1));
        let mut engine = common::Program::start();
        engine.send(&format!(
            "setoption name TablePath value {}",
            dir.path().display()
        ));
        let told = engine.until("info string tables: refused");
        assert!(
            told.last().is_some_and(|line| line.contains(reason)),
            "{told:?}"
        );
        engine.send("position fen 4w/bw3/w4/5/5 b 0 1");
        engine.send("go depth 4");
        let best = engine.until("bestmove");
        assert!(
            best.iter().any(|line| line.contains("mate -12")),
            "{best:?}"
        );
        engine.send("quit");
    }
    fs::write(&path, fs::read(dir.path().join("1-2.wdl")).expect("a file")).expect("written");
    let (_, refused) = Tables::open(dir.path());
    assert!(
        refused[0].to_string().contains("holds slice 1-2.wdl"),
        "{refused:?}"
    );
}

#[test]
fn tables_in_memory_can_be_left_out() {
    let mut engine = common::Program::start();
    let mut hits = |setting: &str| {
        engine.send(setting);
        engine.send("position fen 4w/bw3/w4/5/5 b 0 1");
        engine.send("go depth 4");
        let told = engine.until("bestmove");
        let last = told.iter().rev().find(|line| line.contains(" tbhits "));
        let hits = last.and_then(|line| line.split(" tbhits ").nth(1));
        hits.and_then(|text| text.split(' ').next()?.parse::<u64>().ok())
    };
    assert!(hits("isready") > Some(0));
    assert_eq!(hits("setoption name BuiltInTables value false"), Some(0));
    assert!(hits("setoption name BuiltInTables value true") > Some(0));
    assert!(hits("setoption name BuiltInTables value maybe") > Some(0));
    engine.send("quit");
}

#[test]
fn what_does_not_fit_is_refused_beforehand() {
    let dir = TempDir::new().expect("a directory");
    let output = tables_command(&["build", "--stones", "12", "--memory", "100"], dir.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).contains("MiB may be used"),
        "{}",
        text(&output)
    );
    assert_eq!(contents(dir.path()).len(), 0);
    let output = tables_command(&["build", "--stones", "4", "--slice", "2,2"], dir.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("needs slice"), "{}", text(&output));
    build("3", dir.path(), &[]);
    build("4", dir.path(), &["--slice", "2,2"]);
    assert!(dir.path().join("2-2.wdl").exists());
    assert!(!dir.path().join("3-1.wdl").exists());
}

#[test]
fn a_cluster_builds_the_same_files_though_a_worker_is_lost() {
    if !common::dask::is_there() {
        return;
    }
    let [alone, spread, folder] = [(); 3].map(|()| TempDir::new().expect("a directory"));
    build("7", alone.path(), &[]);
    let cluster = Cluster::start(folder.path());
    let (mut doomed, _other) = (cluster.worker(), cluster.worker());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/tables_dask.py");
    let mut driver = Command::new("python3")
        .arg(script)
        .args(["--scheduler", &cluster.address(), "--stones", "7"])
        .args(["--threads", "1", "--program"])
        .arg(env!("CARGO_BIN_EXE_alquerque"))
        .arg("--dir")
        .arg(spread.path())
        .stderr(Stdio::null())
        .spawn()
        .expect("python runs");
    let patience = Instant::now() + Duration::from_secs(60);
    while contents(spread.path()).len() < 12 {
        assert!(Instant::now() < patience, "no slices in a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
    doomed.kill();
    assert!(driver.wait().expect("it ends").success());
    let finished: Vec<_> = contents(spread.path())
        .into_iter()
        .filter(|(name, _)| !name.ends_with(".part"))
        .collect();
    assert!(
        finished == contents(alone.path()),
        "a cluster makes other bytes"
    );
}
