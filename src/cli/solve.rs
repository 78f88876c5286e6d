//! `alquerque solve` and `alquerque certificate`: the value of the game, with a proof.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use alquerque::rules::{Move, Position};
use alquerque::search::Info;
use alquerque::solve::{Certificate, Proof, Prover, Settled, check};
use alquerque::tables::Tables;

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
    /// Threads [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Memory of the search in MiB
    #[arg(long, default_value_t = 2048)]
    hash: usize,
    /// The most seconds to spend on one move
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

/// Solves a position: its value follows from those of its moves.
pub fn solve(arguments: &SolveArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let begin = Instant::now();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or(cores, usize::from);
    provide(&arguments.dir, arguments.stones, threads, out)?;
    let tables = open(&arguments.dir)?;
    let position = arguments.fen.unwrap_or_else(Position::start);
    let mut prover = Prover::new(&tables, arguments.hash, threads)?;
    let limit = Duration::from_secs(arguments.seconds);
    let whole = prover.settle(position, limit, &mut told);
    let mut values = Vec::new();
    for mv in position.board().moves() {
        let proof = prover.settle(position.after(mv.effect()), limit, &mut told);
        writeln!(out, "{mv}: {}", proof_text(&reversed(proof)))?;
        out.flush()?;
        values.push((mv, reversed(proof).value));
    }
    writeln!(out, "{position}: {}", verdict(&whole, &values))?;
    writeln!(out, "{:.1} s", begin.elapsed().as_secs_f64())?;
    if let Some(path) = &arguments.certificate {
        write_certificate(path, prover.certificate())?;
        let count = prover.certificate().moves.len();
        writeln!(out, "{}: {count} positions", path.display())?;
    }
    Ok(())
}

fn told(info: &Info) {
    // A courtesy, on a terminal or not: it is not the result.
    let seconds = info.time.as_secs_f64();
    let _ = writeln!(
        io::stderr(),
        "depth {} score {} {seconds:.1} s",
        info.depth,
        info.score
    );
}

/// A proof about a move from one about the position it leads to.
fn reversed(proof: Proof) -> Proof {
    let value = match proof.value {
        Settled::Win => Settled::Loss,
        Settled::Loss => Settled::Win,
        Settled::Open => Settled::Open,
    };
    Proof { value, ..proof }
}

fn proof_text(proof: &Proof) -> String {
    let value = match proof.value {
        Settled::Win => "wins",
        Settled::Loss => "loses",
        Settled::Open => "open, neither a win nor a loss was found",
    };
    format!(
        "{value} ({} nodes, {:.1} s)",
        proof.nodes,
        proof.time.as_secs_f64()
    )
}

fn verdict(whole: &Proof, moves: &[(Move, Settled)]) -> String {
    let wins = moves.iter().any(|(_, value)| *value == Settled::Win);
    match whole.value {
        Settled::Win => "the side to move wins".into(),
        Settled::Loss => "the side to move loses".into(),
        Settled::Open if wins => "the side to move wins".into(),
        Settled::Open if moves.iter().all(|(_, value)| *value == Settled::Loss) => {
            "the side to move loses".into()
        }
        Settled::Open => "not settled; no bound is proven".into(),
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
        let word = if claim.wins { "wins" } else { "loses" };
        writeln!(out, "proven: {}: the side to move {word}", claim.position)?;
    }
    let (positions, lookups) = (checked.positions, checked.lookups);
    writeln!(out, "{positions} positions, {lookups} looked up in tables")?;
    Ok(())
}
