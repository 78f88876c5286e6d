//! One slice on disk, opened by memory mapping. `docs/tables.md` describes the format.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use once_cell::sync::OnceCell;
use thiserror::Error;

use super::header::{FileFault, HEADER, Header, TAIL};
use super::huffman::{Decoder, MAX_BITS};
use super::index::SliceIndex;
use super::pack::Packed;
use super::slab::{Code, LAST};
use crate::rules::Board;
use crate::rules::cpu::with_cpu;

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

/// A file that was refused.
#[derive(Debug, Error)]
#[error("{}: {fault}", path.display())]
pub struct FileError {
    /// Which file.
    pub path: PathBuf,
    /// Why.
    pub fault: FileFault,
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
        self.runs(place >> self.header.block_bits)?
            .code_of(in_block)
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

impl Runs<'_> {
    /// The next bits, the first one highest: [`WHOLE_CODES`] codes at least, zeros below.
    #[inline(always)]
    fn window(&self) -> Option<u64> {
        let byte = self.bit / 8;
        let word: [u8; 8] = self.data.get(byte..byte + 8)?.try_into().ok()?;
        Some(u64::from_be_bytes(word) << (self.bit % 8))
    }

    /// The code at a place of the block.
    #[inline(always)]
    fn code_of(mut self, place: usize) -> Option<Code> {
        let (mut end, mut code) = (0, 0u32);
        loop {
            let (mut window, mut used) = (self.window()?, 0);
            for _ in 0..WHOLE_CODES {
                let (run, bits) = self.decoder.next(window)?;
                window <<= bits;
                used += bits;
                code += u32::from(run.difference);
                end += usize::from(run.length);
                if end > place {
                    return Some((code % u32::from(self.codes)) as Code);
                }
            }
            self.bit += used as usize;
        }
    }
}

/// Codes that eight bytes hold for sure, wherever in the first byte they begin.
const WHOLE_CODES: u32 = (u64::BITS - 7) / MAX_BITS;

impl Iterator for Runs<'_> {
    type Item = (Code, usize);

    /// The next code and how many places it covers; the caller knows when the block is full.
    #[inline(always)]
    fn next(&mut self) -> Option<(Code, usize)> {
        let (run, bits) = self.decoder.next(self.window()?)?;
        self.bit += bits as usize;
        self.code += u16::from(run.difference);
        if self.code >= self.codes {
            self.code -= self.codes;
        }
        Some((self.code as Code, run.length as usize))
    }
}
