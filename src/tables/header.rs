//! The head of a table file, and what may be wrong with a file.

use std::io;

use thiserror::Error;

use super::file::Kind;
use super::index::{MAX_SIDE, place_count};
use super::pack::Packed;
use super::runs::{LONGEST, symbol_count};

const MAGIC: [u8; 8] = *b"ALQSLICE";
const VERSION: u16 = 1;
pub(super) const HEADER: usize = 80;
/// Zeros at the end of the file, so that eight bytes can be read at each code.
pub(super) const TAIL: usize = 8;

/// Why a file cannot be used.
#[derive(Debug, Error)]
pub enum FileFault {
    /// The system says so.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Not one of our files.
    #[error("it is not a table of Alquerque")]
    Foreign,
    /// Made by another version of the program.
    #[error("its version is {0}, this program reads version {VERSION}")]
    Version(u16),
    /// Another slice or kind than its name says.
    #[error("it holds slice {0}, not what its name says")]
    Misnamed(String),
    /// Shorter or longer than it should be.
    #[error("it has {found} bytes instead of {expected}")]
    Length {
        /// Bytes there are.
        found: u64,
        /// Bytes there should be.
        expected: u64,
    },
    /// A checksum does not fit.
    #[error("it is damaged: the checksum of its {0} does not fit")]
    Damaged(&'static str),
}

/// The counts that a file carries about its slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Quiet positions won, drawn and lost for the mover, all symmetric ones counted.
    pub quiet: [u64; 3],
    /// The longest distance among them, in plies.
    pub longest: u32,
}

/// What stands in the head of a file.
pub(super) struct Header {
    pub(super) kind: Kind,
    pub(super) mover: u8,
    pub(super) other: u8,
    pub(super) block_bits: u8,
    pub(super) counts: Counts,
    pub(super) blocks: u32,
    pub(super) length_bytes: u32,
    pub(super) data_bytes: u64,
    pub(super) body_crc: u32,
}

impl Header {
    pub(super) fn of(packed: &Packed, body_crc: u32) -> Header {
        Header {
            kind: packed.kind,
            mover: packed.mover as u8,
            other: packed.other as u8,
            block_bits: packed.block_bits as u8,
            counts: packed.counts,
            blocks: packed.offsets.len() as u32,
            length_bytes: packed.code_lengths.len() as u32,
            data_bytes: packed.data.len() as u64,
            body_crc,
        }
    }

    pub(super) fn to_bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..14].copy_from_slice(&[self.kind as u8, self.mover, self.other, self.block_bits]);
        for (i, count) in self.counts.quiet.iter().enumerate() {
            bytes[16 + 8 * i..][..8].copy_from_slice(&count.to_le_bytes());
        }
        let words = [self.counts.longest, self.blocks, self.length_bytes];
        for (i, word) in words.iter().enumerate() {
            bytes[40 + 4 * i..][..4].copy_from_slice(&word.to_le_bytes());
        }
        bytes[56..64].copy_from_slice(&self.data_bytes.to_le_bytes());
        bytes[64..68].copy_from_slice(&self.body_crc.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..HEADER - 4]);
        bytes[HEADER - 4..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    pub(super) fn parse(bytes: &[u8]) -> Result<Header, FileFault> {
        let u32_at = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let u64_at = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        if bytes.get(..8) != Some(MAGIC.as_slice()) {
            return Err(FileFault::Foreign);
        }
        if bytes.len() < HEADER {
            let (found, expected) = (bytes.len() as u64, HEADER as u64);
            return Err(FileFault::Length { found, expected });
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(FileFault::Version(version));
        }
        if u32_at(HEADER - 4) != crc32fast::hash(&bytes[..HEADER - 4]) {
            return Err(FileFault::Damaged("header"));
        }
        let kind = Kind::ALL.into_iter().find(|kind| *kind as u8 == bytes[10]);
        Ok(Header {
            kind: kind.ok_or(FileFault::Foreign)?,
            mover: bytes[11],
            other: bytes[12],
            block_bits: bytes[13],
            counts: Counts {
                quiet: [u64_at(16), u64_at(24), u64_at(32)],
                longest: u32_at(40),
            },
            blocks: u32_at(44),
            length_bytes: u32_at(48),
            data_bytes: u64_at(56),
            body_crc: u32_at(64),
        })
    }

    pub(super) fn file_bytes(&self) -> u64 {
        let body = u64::from(self.length_bytes) + 4 * u64::from(self.blocks);
        (HEADER + TAIL) as u64 + body + self.data_bytes
    }

    /// Whether all sizes are what this slice and kind need.
    pub(super) fn is_sound(&self) -> bool {
        let (mover, other) = (self.mover as usize, self.other as usize);
        let sides = 1..=MAX_SIDE;
        let block_bits = 1..=LONGEST.trailing_zeros() as u8;
        sides.contains(&mover)
            && sides.contains(&other)
            && block_bits.contains(&self.block_bits)
            && self.length_bytes as usize == symbol_count(self.kind.codes())
            && self.blocks as usize == place_count(mover, other).div_ceil(1 << self.block_bits)
    }
}
