//! `alquerque solve` and `alquerque certificate`: the value of the game, with a proof.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use indicatif::ProgressBar;

use alquerque::rules::Position;
use alquerque::solve::{Certificate, Proof, Prover, Value, check};
use alquerque::tables::Tables;

use super::progress;
use super::tables::{open, provide};

/// What to prove, and with what.
#[derive(Args)]
pub struct SolveArguments {
    /// Use tables of up to so many stones; those that are missing are built
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(2..=24))]
    stones: u8,
    /// The directory of the tables
    #[arg(long, default_value = "tables")]
    dir: PathBuf,
    /// Write the proof to this file
    #[arg(long)]
    certificate: Option<PathBuf>,
    /// Threads that build tables [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The most memory of the search in MiB; taken as it is needed
    #[arg(long, default_value_t = 4096)]
    memory: usize,
    /// The most seconds to spend on one position
    #[arg(long, default_value_t = 180)]
    seconds: u64,
    /// Solve this position instead of the start
    #[arg(long)]
    fen: Option<Position>,
}

/// What to do with a certificate.
#[derive(Subcommand)]
pub enum CertificateAction {
    /// Check a proof from its file, the rules and the tables alone
    Check {
        /// The file
        file: PathBuf,
        /// The directory of the tables
        #[arg(long, default_value = "tables")]
        dir: PathBuf,
    },
}

/// Solves a position and each of its moves.
pub fn solve(arguments: &SolveArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let begin = Instant::now();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or(cores, usize::from);
    provide(&arguments.dir, arguments.stones, threads, out)?;
    let tables = open(&arguments.dir)?;
    let position = arguments.fen.unwrap_or_else(Position::start);
    let mut prover = Prover::new(&tables, arguments.memory);
    let limit = Duration::from_secs(arguments.seconds);
    for mv in position.board().moves() {
        let proof = settle(
            &mut prover,
            position.after(mv.effect()),
            limit,
            mv.to_string(),
        );
        let value = proof.value.map(Value::reversed);
        writeln!(out, "{mv}: {}", proof_text(&Proof { value, ..proof }))?;
        out.flush()?;
    }
    // Last, for then nearly all of it is remembered.
    let whole = settle(&mut prover, position, limit, position.to_string());
    writeln!(out, "{position}: the side to move {}", proof_text(&whole))?;
    writeln!(out, "{:.1} s", begin.elapsed().as_secs_f64())?;
    if let Some(path) = &arguments.certificate {
        let certificate = prover.certificate();
        write_certificate(path, certificate)?;
        let (wins, holds) = (certificate.wins.len(), certificate.holds.len());
        let path = path.display();
        writeln!(out, "{path}: {wins} positions won, {holds} held")?;
    }
    Ok(())
}

/// Settles a position behind a spinner, which shows on a terminal only.
fn settle(prover: &mut Prover, position: Position, limit: Duration, name: String) -> Proof {
    let spinner = progress::styled(ProgressBar::new_spinner(), "{spinner} {msg} {elapsed}");
    spinner.set_message(name);
    spinner.enable_steady_tick(Duration::from_millis(200));
    let proof = prover.settle(position, limit);
    spinner.finish_and_clear();
    proof
}

fn proof_text(proof: &Proof) -> String {
    let value = proof
        .value
        .map_or("is open: no bound is proven", value_text);
    let (nodes, seconds) = (proof.nodes, proof.time.as_secs_f64());
    format!("{value} ({nodes} nodes, {seconds:.1} s)")
}

fn value_text(value: Value) -> &'static str {
    match value {
        Value::Win => "wins",
        Value::Loss => "loses",
        Value::Draw => "draws",
        Value::AtLeastDraw => "has at least a draw",
        Value::AtMostDraw => "has at most a draw",
    }
}

fn write_certificate(path: &Path, certificate: &Certificate) -> anyhow::Result<()> {
    let write = || certificate.write(&mut BufWriter::new(File::create(path)?));
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Checks a certificate.
pub fn certificate(action: &CertificateAction, out: &mut impl Write) -> anyhow::Result<()> {
    let CertificateAction::Check { file, dir } = action;
    let name = || file.display().to_string();
    let input = BufReader::new(File::open(file).with_context(name)?);
    let certificate = Certificate::read(input).with_context(name)?;
    let tables: Tables = open(dir)?;
    let checked = match check(&certificate, &tables) {
        Ok(checked) => checked,
        Err(error) => bail!("{}: not a proof: {error}", file.display()),
    };
    for claim in &certificate.claims {
        let value = value_text(claim.value);
        writeln!(out, "proven: {}: the side to move {value}", claim.position)?;
    }
    let (positions, lookups) = (checked.positions, checked.lookups);
    writeln!(out, "{positions} positions, {lookups} looked up in tables")?;
    Ok(())
}
