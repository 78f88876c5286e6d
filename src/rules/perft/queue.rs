//! Rows of words, taken from the front as many at a time as there are lanes.

use std::array;

use super::lanes::{LANES, Lanes, Wide};

/// A queue of rows of `K` words, kept by columns so that neighbouring rows fill the lanes.
pub(super) struct Queue<const K: usize> {
    /// Longer by [`LANES`] words or more than what they hold: whole vectors are read and written.
    columns: [Vec<u32>; K],
    len: usize,
}

impl<const K: usize> Queue<K> {
    /// Room for what sixteen boards usually have as children.
    const ROOM: usize = 16 * LANES;

    pub(super) fn new() -> Queue<K> {
        Queue {
            columns: array::from_fn(|_| vec![0; Self::ROOM]),
            len: 0,
        }
    }

    /// Whether [`Queue::drain`] would find something.
    #[inline(always)]
    pub(super) fn is_ready(&self, last: bool) -> bool {
        self.len >= LANES || last && self.len > 0
    }

    /// Appends a row for each of the `chosen` lanes.
    #[inline(always)]
    pub(super) fn push(&mut self, cpu: impl Wide, chosen: u32, rows: &[Lanes; K]) {
        let end = self.len;
        for (column, lanes) in self.columns.iter_mut().zip(rows) {
            if column.len() < end + 2 * LANES {
                lengthen(column);
            }
            let out = column[end..].first_chunk_mut();
            cpu.pack(lanes, chosen, out.expect("the column is long enough"));
        }
        self.len += chosen.count_ones() as usize;
    }

    /// Takes the rows out from the front and calls `visit` with a row in each lane, and with
    /// whether these were the last. Rows that do not fill the lanes stay, unless `last` says that
    /// none will follow; then lanes without a row are zero.
    #[inline(always)]
    pub(super) fn drain(&mut self, last: bool, mut visit: impl FnMut([Lanes; K], bool)) {
        if last {
            for column in &mut self.columns {
                column[self.len..self.len + LANES].fill(0);
            }
        }
        let mut at = 0;
        while self.len - at >= LANES || last && at < self.len {
            let rows = self.rows(at);
            at = self.len.min(at + LANES);
            visit(rows, last && at == self.len);
        }
        for column in &mut self.columns {
            // Fewer than LANES words are left; a whole vector is moved sooner than some words.
            column.copy_within(at..at + LANES, 0);
        }
        self.len -= at;
    }

    #[inline(always)]
    fn rows(&self, at: usize) -> [Lanes; K] {
        let mut rows = [[0; LANES]; K];
        for (lanes, column) in rows.iter_mut().zip(&self.columns) {
            lanes.copy_from_slice(&column[at..at + LANES]);
        }
        rows
    }
}

#[cold]
#[inline(never)]
fn lengthen(column: &mut Vec<u32>) {
    column.resize(2 * column.len(), 0);
}
