//! Proving the value of positions, and checking the proofs.
//!
//! A win is proven by positions with the moves that win, a bound by positions with moves that hold
//! at least a draw: `certificate` says what makes such sets proofs, `check` checks them. `numbers`
//! asks whether an attack can win, `hold` closes the sets that hold, `prover` does both.
//! Neither kind of proof needs a history of the game.

mod certificate;
mod check;
mod hold;
mod numbers;
mod prover;

pub use certificate::{Certificate, CertificateError, Claim, Value};
pub use check::{CheckError, Checked, check};
pub use prover::{Proof, Prover};
