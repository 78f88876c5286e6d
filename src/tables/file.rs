//! One slice on disk, opened by memory mapping. `docs/tables.md` describes the format.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use once_cell::sync::OnceCell;
use thiserror::Error;

use super::huffman::Decoder;
use super::index::{MAX_SIDE, SliceIndex, place_count};
use super::pack::Packed;
use super::runs::{LONGEST, symbol_count, unpack};
use super::slab::{Code, LAST};
use crate::rules::Board;
use crate::rules::cpu::with_cpu;

const MAGIC: [u8; 8] = *b"ALQSLICE";
const VERSION: u16 = 1;
pub(super) const HEADER: usize = 80;
/// Zeros at the end of the file, so that eight bytes can be read at each code.
const TAIL: usize = 8;

/// What the file of a slice tells of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Kind {
    /// Win, draw or loss.
    Value = 0,
    /// Also the plies to the end.
    Distance = 1,
    /// Also the plies to the capture that decides.
    Conversion = 2,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Value, Kind::Distance, Kind::Conversion];

    /// The ending of the file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Kind::Value => "wdl",
            Kind::Distance => "dtw",
            Kind::Conversion => "dtc",
        }
    }

    /// The number of codes a position can have.
    pub fn codes(self) -> usize {
        match self {
            Kind::Value => 3,
            Kind::Distance | Kind::Conversion => LAST as usize + 1,
        }
    }

    /// Where the file of a slice lies.
    pub fn path(self, dir: &Path, mover: usize, other: usize) -> PathBuf {
        dir.join(format!("{mover}-{other}.{}", self.extension()))
    }
}

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

/// A file that was refused.
#[derive(Debug, Error)]
#[error("{}: {fault}", path.display())]
pub struct FileError {
    /// Which file.
    pub path: PathBuf,
    /// Why.
    pub fault: FileFault,
}

/// The counts that a file carries about its slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Quiet positions won, drawn and lost for the mover, all symmetric ones counted.
    pub quiet: [u64; 3],
    /// The longest distance among them, in plies.
    pub longest: u32,
}

pub(super) struct Header {
    kind: Kind,
    mover: u8,
    other: u8,
    block_bits: u8,
    counts: Counts,
    blocks: u32,
    length_bytes: u32,
    data_bytes: u64,
    body_crc: u32,
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

    fn to_bytes(&self) -> [u8; HEADER] {
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

    fn parse(bytes: &[u8]) -> Result<Header, FileFault> {
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

    fn file_bytes(&self) -> u64 {
        let body = u64::from(self.length_bytes) + 4 * u64::from(self.blocks);
        (HEADER + TAIL) as u64 + body + self.data_bytes
    }

    /// Whether all sizes are what this slice and kind need.
    fn is_sound(&self) -> bool {
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

/// Writes a slice to `dir`, aside first, then under its name: a file that is there is complete.
/// Returns its bytes.
pub fn write(dir: &Path, packed: &Packed) -> Result<u64, FileError> {
    let path = packed.kind.path(dir, packed.mover, packed.other);
    write_to(dir, &path, packed).map_err(|error| {
        let fault = FileFault::Io(error);
        FileError { path, fault }
    })
}

/// The ending of files that are not finished.
const UNFINISHED: &str = ".part";

fn write_to(dir: &Path, path: &Path, packed: &Packed) -> io::Result<u64> {
    let offsets: Vec<u8> = packed
        .offsets
        .iter()
        .flat_map(|o| o.to_le_bytes())
        .collect();
    let parts = [&packed.code_lengths, &offsets, &packed.data, &[0; TAIL][..]];
    let mut crc = crc32fast::Hasher::new();
    parts.iter().for_each(|part| crc.update(part));
    let header = Header::of(packed, crc.finalize());
    // Its own name for each writer: two machines may be at the same slice.
    let mut builder = tempfile::Builder::new();
    builder.suffix(UNFINISHED);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut file = builder.tempfile_in(dir)?;
    file.write_all(&header.to_bytes())?;
    for part in parts {
        file.write_all(part)?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    // The name must outlive a power cut too, where the system can say so.
    if let Ok(dir) = File::open(dir) {
        let _ = dir.sync_all();
    }
    Ok(header.file_bytes())
}

/// Removes what writers that were killed have left in `dir`. Nobody else may be writing there.
pub fn remove_unfinished(dir: &Path) {
    let files = std::fs::read_dir(dir).into_iter().flatten().flatten();
    for file in files {
        if file.file_name().to_string_lossy().ends_with(UNFINISHED) {
            // What cannot be removed does no harm.
            let _ = std::fs::remove_file(file.path());
        }
    }
}

/// A slice on disk, open.
pub struct SliceFile {
    path: PathBuf,
    header: Header,
    index: OnceCell<SliceIndex>,
    decoder: OnceCell<Option<Decoder>>,
    /// Whether the checksum of the body fits, once it was asked.
    intact: OnceCell<bool>,
    map: Mmap,
}

impl SliceFile {
    /// Opens the file of a slice in `dir`. Looks at the header and the length only; the body is
    /// checked by [`SliceFile::check`].
    ///
    /// # Errors
    /// If the file cannot be read or is not what its name says.
    pub fn open(
        dir: &Path,
        kind: Kind,
        mover: usize,
        other: usize,
    ) -> Result<SliceFile, FileError> {
        let path = kind.path(dir, mover, other);
        Self::open_path(&path, kind, mover, other).map_err(|fault| FileError { path, fault })
    }

    fn open_path(
        path: &Path,
        kind: Kind,
        mover: usize,
        other: usize,
    ) -> Result<SliceFile, FileFault> {
        let file = File::open(path)?;
        // SAFETY: finished tables are never changed in place: they are written aside and renamed.
        // Whoever cuts one short while it is mapped ends this process, not its soundness.
        let map = unsafe { Mmap::map(&file)? };
        let header = Header::parse(&map)?;
        if (header.kind, header.mover as usize, header.other as usize) != (kind, mover, other) {
            let (own, other) = (header.mover, header.other);
            let name = format!("{own}-{other}.{}", header.kind.extension());
            return Err(FileFault::Misnamed(name));
        }
        let (found, expected) = (map.len() as u64, header.file_bytes());
        if found != expected {
            return Err(FileFault::Length { found, expected });
        }
        if !header.is_sound() {
            return Err(FileFault::Damaged("header"));
        }
        Ok(SliceFile {
            path: path.to_owned(),
            header,
            index: OnceCell::new(),
            decoder: OnceCell::new(),
            intact: OnceCell::new(),
            map,
        })
    }

    /// Checks the body against its checksum, once.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn check(&self) -> Result<(), FileError> {
        match self.is_intact() {
            true => Ok(()),
            false => Err(FileError {
                path: self.path.clone(),
                fault: FileFault::Damaged("body"),
            }),
        }
    }

    fn is_intact(&self) -> bool {
        *self
            .intact
            .get_or_init(|| crc32fast::hash(&self.map[HEADER..]) == self.header.body_crc)
    }

    /// Bytes on disk.
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// What the file says of its slice.
    pub fn counts(&self) -> Counts {
        self.header.counts
    }

    /// Where positions stand.
    #[inline]
    pub fn index(&self) -> &SliceIndex {
        self.index
            .get_or_init(|| SliceIndex::new(self.header.mover as usize, self.header.other as usize))
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.header.blocks as usize
    }

    /// Places in a block; the last one may have fewer.
    pub fn block_places(&self) -> usize {
        1 << self.header.block_bits
    }

    /// The code of a quiet board of this slice; `None` if the file is damaged.
    #[inline]
    pub fn code(&self, board: Board) -> Option<Code> {
        if !self.is_intact() {
            return None;
        }
        let index = self.index();
        let (row, column) = with_cpu!(|cpu| index.place_of(cpu, board));
        let place = row * index.columns() + column;
        let in_block = place & (self.block_places() - 1);
        let mut runs = self.runs(place >> self.header.block_bits)?;
        let (mut end, mut code) = (0, 0);
        while end <= in_block {
            let run = runs.next()?;
            code = run.0;
            end += run.1;
        }
        Some(code)
    }

    /// The runs of a block: code and length of each. Fewer places than the block has are covered
    /// where no quiet position follows.
    #[inline]
    pub fn runs(&self, block: usize) -> Option<Runs<'_>> {
        let lengths = self.header.length_bytes as usize;
        let (code_lengths, rest) = self.map[HEADER..].split_at(lengths);
        let decoder = self
            .decoder
            .get_or_init(|| Decoder::new(code_lengths))
            .as_ref()?;
        let (offsets, data) = rest.split_at(4 * self.blocks());
        let offset: [u8; 4] = offsets.get(4 * block..4 * block + 4)?.try_into().ok()?;
        Some(Runs {
            decoder,
            data,
            bit: u32::from_le_bytes(offset) as usize * 8,
            codes: self.header.kind.codes() as u16,
            code: 0,
        })
    }
}

/// The runs of one block, one after the other.
pub struct Runs<'a> {
    decoder: &'a Decoder,
    data: &'a [u8],
    bit: usize,
    codes: u16,
    code: u16,
}

impl Iterator for Runs<'_> {
    type Item = (Code, usize);

    /// The next code and how many places it covers; the caller knows when the block is full.
    #[inline(always)]
    fn next(&mut self) -> Option<(Code, usize)> {
        let byte = self.bit / 8;
        let word: [u8; 8] = self.data.get(byte..byte + 8)?.try_into().ok()?;
        let (symbol, bits) = self
            .decoder
            .next(u64::from_be_bytes(word) << (self.bit % 8))?;
        self.bit += bits as usize;
        let (difference, length) = unpack(symbol);
        self.code += u16::from(difference);
        if self.code >= self.codes {
            self.code -= self.codes;
        }
        Some((self.code as Code, length as usize))
    }
}
