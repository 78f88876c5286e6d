//! `alquerque tables ...`: building, counting, checking and asking exact tables.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Subcommand;
use indicatif::ProgressBar;

use alquerque::engine::available_mib;
use alquerque::rules::{Board, Position, Side};
use alquerque::tables::{
    Distance, FileError, MAX_SIDE, Observer, Order, PairProgress, Plan, SliceStats, Smaller, Step,
    Tables, Verifier, Wdl, build, built_in, plan, stats,
};

use super::progress;

/// What to do with tables.
#[derive(Subcommand)]
pub enum TablesAction {
    /// Build the tables of all positions of up to so many stones
    ///
    /// Every finished slice is on disk before the next begins. Whatever ends the work, the same
    /// command goes on from there.
    Build {
        /// All positions of up to so many stones
        #[arg(long, value_parser = clap::value_parser!(u8).range(2..=24))]
        stones: u8,
        /// The directory of the files; made if it is not there
        #[arg(long)]
        dir: PathBuf,
        /// Threads to work on [default: one for each core]
        #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
        threads: Option<u16>,
        /// The most memory to use, in MiB [default: nine tenths of what is free]
        #[arg(long)]
        memory: Option<u64>,
        /// Find the plies to the end up to so many stones; beyond, those to the deciding capture
        #[arg(long, default_value_t = DISTANCES)]
        distances: u8,
        /// Build only the pair of this slice, as in 4,3; the smaller ones must be there
        #[arg(long, value_name = "M,O", value_parser = parse_slice)]
        slice: Option<(usize, usize)>,
        /// Only say what it takes
        #[arg(long)]
        dry_run: bool,
    },
    /// Count won, drawn and lost placements in every slice that is there
    Stats {
        /// The directory of the files
        #[arg(long)]
        dir: PathBuf,
        /// Print comma-separated values
        #[arg(long)]
        csv: bool,
    },
    /// Check every file and every value, by other means than the builder's
    Verify {
        /// The directory of the files
        #[arg(long)]
        dir: PathBuf,
    },
    /// Tell the exact value of a position and of all its moves
    Probe {
        /// The directory of the files; positions of up to 6 stones need none
        #[arg(long)]
        dir: Option<PathBuf>,
        /// The position, as in 'b4/5/2w2/5/w4 w'
        #[arg(long)]
        fen: Position,
    },
}

fn parse_slice(text: &str) -> Result<(usize, usize), String> {
    let side = |text: &str| match text.trim().parse() {
        Ok(stones) if (1..=MAX_SIDE).contains(&stones) => Ok(stones),
        _ => Err(format!(
            "'{text}' is not a number of stones from 1 to {MAX_SIDE}"
        )),
    };
    let (mover, other) = text
        .split_once(',')
        .ok_or("give the stones of both sides, as in 4,3")?;
    Ok((side(mover)?, side(other)?))
}

/// Does it.
pub fn run(action: TablesAction, out: &mut impl Write) -> anyhow::Result<()> {
    match action {
        TablesAction::Build {
            stones,
            dir,
            threads,
            memory,
            distances,
            slice,
            dry_run,
        } => {
            let order = Order {
                stones: slice.map_or(stones.into(), |(mover, other)| mover + other),
                dir,
                memory: memory.unwrap_or_else(default_memory) << 20,
                distances: distances.into(),
                only: slice,
            };
            run_build(&order, threads, dry_run, out)
        }
        TablesAction::Stats { dir, csv } => run_stats(&dir, csv, out),
        TablesAction::Verify { dir } => run_verify(&dir, out),
        TablesAction::Probe { dir, fen } => run_probe(dir.as_deref(), fen, out),
    }
}

/// MiB: nine tenths of what is free; 4 GiB where the system does not tell.
fn default_memory() -> u64 {
    available_mib().map_or(4096, |mib| mib as u64 * 9 / 10)
}

/// Builds the tables of up to so many stones that are not in `dir` yet.
pub fn provide(dir: &Path, stones: u8, threads: usize, out: &mut impl Write) -> anyhow::Result<()> {
    let order = Order {
        stones: stones.into(),
        dir: dir.to_owned(),
        memory: default_memory() << 20,
        distances: DISTANCES.into(),
        only: None,
    };
    run_build(&order, u16::try_from(threads).ok(), false, out)
}

/// Up to so many stones the plies to the end are found out, unless the user says otherwise.
const DISTANCES: u8 = 10;

fn run_build(
    order: &Order,
    threads: Option<u16>,
    dry_run: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let plan = plan(order);
    if plan.steps.is_empty() {
        writeln!(
            out,
            "{}: nothing to do, every slice is there",
            order.dir.display()
        )?;
        return Ok(());
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0).into())
        .build()
        .context("cannot start the threads")?;
    announce(&plan, pool.current_num_threads(), out)?;
    if dry_run {
        return Ok(());
    }
    let bar = progress_bar(plan.places);
    let progress = BuildProgress {
        bar: bar.clone(),
        before: AtomicU64::new(0),
    };
    pool.install(|| build(order, &plan, &progress))?;
    let took = bar.elapsed();
    bar.finish_and_clear();
    let rate = plan.places as f64 / took.as_secs_f64().max(1e-3) / 1e6;
    let seconds = took.as_secs_f64();
    writeln!(
        out,
        "built {} pairs in {seconds:.1} s, {rate:.1} million places/s",
        plan.steps.len()
    )?;
    Ok(())
}

/// Places a second that one core was measured to do.
const PLACES_PER_SECOND: u64 = 5_000_000;

fn announce(plan: &Plan, threads: usize, out: &mut impl Write) -> io::Result<()> {
    let seconds = plan.places / PLACES_PER_SECOND / threads as u64;
    writeln!(
        out,
        "{} pairs of slices, {} million places: {} MiB of memory ({} at least), \
         about {} MiB of disk, about {} on {threads} threads",
        plan.steps.len(),
        plan.places / 1_000_000,
        plan.memory.div_ceil(1 << 20),
        plan.least_memory.div_ceil(1 << 20),
        plan.disk.div_ceil(1 << 20),
        duration_text(seconds),
    )
}

fn duration_text(seconds: u64) -> String {
    match seconds {
        0..=90 => format!("{} s", seconds.max(1)),
        91..=7200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3600),
    }
}

/// A bar for so many places.
fn progress_bar(length: u64) -> ProgressBar {
    let template = "{msg:<24} {wide_bar} {percent:>3}% {per_sec:>14}, {eta} left";
    let bar = progress::styled(ProgressBar::new(length), template);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

struct BuildProgress {
    bar: ProgressBar,
    /// Places of the pairs that are done.
    before: AtomicU64,
}

impl Observer for BuildProgress {
    fn begins(&self, step: &Step) {
        self.bar
            .set_message(format!("{},{}", step.mover, step.other));
    }

    fn goes_on(&self, step: &Step, progress: PairProgress) -> bool {
        // Playing out captures is the larger part of the work.
        self.bar
            .set_position(self.before.load(Relaxed) + progress.places.min(step.places));
        if progress.ply > 0 {
            let (mover, other) = (step.mover, step.other);
            self.bar
                .set_message(format!("{mover},{other} ply {}", progress.ply));
        }
        true
    }

    fn done(&self, step: &Step, bytes: u64, took: Duration) {
        let before = self.before.fetch_add(step.places, Relaxed);
        self.bar.set_position(before + step.places);
        let (mover, other) = (step.mover, step.other);
        let seconds = took.as_secs_f64();
        self.bar.println(format!(
            "{mover},{other}: {} KiB in {seconds:.1} s",
            bytes.div_ceil(1024)
        ));
    }
}

/// The tables of a directory; an error names what is wrong there.
pub fn open(dir: &Path) -> anyhow::Result<Tables> {
    open_up_to(dir, 2 * MAX_SIDE)
}

fn open_up_to(dir: &Path, stones: usize) -> anyhow::Result<Tables> {
    let (tables, refused) = Tables::open_up_to(dir, stones);
    for error in &refused {
        // A courtesy; what is missing shows.
        let _ = writeln!(io::stderr(), "alquerque: refused {error}");
    }
    if tables.largest() == 0 {
        bail!(
            "{}: no tables here; make some with: alquerque tables build --stones 8 --dir {0}",
            dir.display()
        );
    }
    Ok(tables)
}

/// The tables of a directory, if one is given, and those made in memory.
pub fn at_hand(dir: Option<&Path>) -> anyhow::Result<Tables> {
    at_hand_up_to(dir, 2 * MAX_SIDE)
}

/// The same, files of more stones left aside.
pub fn at_hand_up_to(dir: Option<&Path>, stones: usize) -> anyhow::Result<Tables> {
    let tables = match dir {
        Some(dir) => open_up_to(dir, stones)?,
        None => Tables::default(),
    };
    built_in::get();
    Ok(tables.with_built_in())
}

/// What tables say of positions, for the arena: the sign of the value for the side to move.
pub fn sign_of(tables: &Tables) -> impl Fn(&Position) -> Option<i32> + Send + Sync + use<> {
    let tables = tables.clone();
    move |position| {
        tables.exact(position.board()).map(|exact| match exact.wdl {
            Wdl::Win => 1,
            Wdl::Draw => 0,
            Wdl::Loss => -1,
        })
    }
}

fn run_stats(dir: &Path, csv: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let tables = open(dir)?;
    let heads = [
        "mover",
        "other",
        "win",
        "draw",
        "loss",
        "quiet_win",
        "quiet_draw",
        "quiet_loss",
        "distance_sum",
        "longest",
    ];
    match csv {
        true => writeln!(out, "{}", heads.join(","))?,
        false => writeln!(out, "{}", heads.map(|head| format!("{head:>14}")).join(""))?,
    }
    let mut smaller = Smaller::default();
    for (mover, other) in tables.slices() {
        let stats = stats(dir, mover, other, &mut smaller)?;
        let fields = stats_fields(mover, other, &stats);
        match csv {
            true => writeln!(out, "{}", fields.join(","))?,
            false => writeln!(
                out,
                "{}",
                fields.map(|field| format!("{field:>14}")).join("")
            )?,
        }
    }
    Ok(())
}

fn stats_fields(mover: usize, other: usize, stats: &SliceStats) -> [String; 10] {
    let number = |n: u64| n.to_string();
    // Blank where the plies to the end are not known.
    let known = |n: u64| {
        if stats.distances {
            n.to_string()
        } else {
            String::new()
        }
    };
    [
        number(mover as u64),
        number(other as u64),
        number(stats.all[0]),
        number(stats.all[1]),
        number(stats.all[2]),
        number(stats.quiet[0]),
        number(stats.quiet[1]),
        number(stats.quiet[2]),
        known(stats.distance_sum),
        known(stats.longest.into()),
    ]
}

fn run_verify(dir: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let (tables, refused) = Tables::open(dir);
    for error in &refused {
        writeln!(out, "refused: {error}")?;
    }
    let mut faults = refused.len() as u64;
    let mut verifier = Verifier::new(dir, default_memory() << 20);
    for (mover, other) in tables.slices() {
        let result = verify_slice(&mut verifier, mover, other, out);
        faults += match result {
            Ok(found) => found,
            Err(error) => {
                writeln!(out, "{mover},{other}: cannot be checked: {error}")?;
                1
            }
        };
    }
    if faults > 0 {
        bail!("{faults} faults in {}", dir.display());
    }
    writeln!(out, "every value follows from the values of the moves")?;
    Ok(())
}

fn verify_slice(
    verifier: &mut Verifier,
    mover: usize,
    other: usize,
    out: &mut impl Write,
) -> Result<u64, FileError> {
    let bar = progress_bar(0);
    bar.set_message(format!("checking {mover},{other}"));
    let verdict = verifier.check(mover, other, &|places| bar.inc(places));
    bar.finish_and_clear();
    let verdict = verdict?;
    // Nobody can be told that nobody can be told.
    let _ = writeln!(
        out,
        "{mover},{other}: {} quiet positions checked, {} faults",
        verdict.checked, verdict.faults
    );
    for fault in &verdict.examples {
        let fen = fen_of(fault.board);
        let _ = writeln!(
            out,
            "  {fen}: {}, but {} follows",
            fault.stored, fault.follows
        );
    }
    Ok(verdict.faults)
}

fn fen_of(board: Board) -> String {
    Position::from_board(board, Side::White).to_string()
}

fn run_probe(dir: Option<&Path>, position: Position, out: &mut impl Write) -> anyhow::Result<()> {
    let tables = at_hand(dir)?;
    let board = position.board();
    let Some(exact) = tables.exact(board) else {
        bail!(
            "'{position}' has {} stones; the tables at hand know positions of up to {}",
            board.stones(),
            tables.covered()
        );
    };
    writeln!(out, "{exact}")?;
    let mut moves = Vec::new();
    for mv in board.moves() {
        if let Some(value) = tables.of_turn(board, mv.effect()) {
            moves.push((mv, value));
        }
    }
    moves.sort_by_key(|(_, value)| std::cmp::Reverse(value.preference()));
    for (mv, value) in moves {
        writeln!(out, "  {mv}: {value}")?;
    }
    if let Distance::Plies(plies) = exact.distance {
        writeln!(out, "the game ends after {plies} plies of best play")?;
    }
    Ok(())
}
