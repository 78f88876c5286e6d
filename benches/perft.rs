//! Leaves per second of perft from the start, on one thread and on a pool of two.

use alquerque::rules::{Position, perft, perft_parallel};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rayon::ThreadPoolBuilder;

const DEPTH: u32 = 13;
const LEAVES: u64 = 21_836_257;

fn main() {
    divan::main();
}

#[divan::bench]
fn one_thread(bencher: Bencher) {
    let board = Position::start().board();
    bencher
        .counter(ItemsCount::new(LEAVES))
        .bench(|| assert_eq!(perft(black_box(board), DEPTH), LEAVES));
}

#[divan::bench]
fn two_threads(bencher: Bencher) {
    let board = Position::start().board();
    let pool = ThreadPoolBuilder::new().num_threads(2).build();
    let pool = pool.expect("two threads can be started");
    bencher.counter(ItemsCount::new(LEAVES)).bench(|| {
        let leaves = pool.install(|| perft_parallel(black_box(board), DEPTH, &|| false));
        assert_eq!(leaves, Some(LEAVES));
    });
}
