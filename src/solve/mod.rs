//! Proving the value of positions, and checking the proofs.
//!
//! A proof that the side to move wins is a set of positions, each with the move that wins: every
//! reply leads to another position of the set or to one that the tables know to be won, and no
//! line ever comes back to where it was. Such a proof needs no history of the game.

mod certificate;
mod check;
mod prover;

pub use certificate::{Certificate, CertificateError, Claim};
pub use check::{CheckError, Checked, check};
pub use prover::{Proof, Prover, Settled};
