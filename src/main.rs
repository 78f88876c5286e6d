//! The `alquerque` program.
fn main() {
    let b = alquerque::rules::Position::start().board();
    let t = std::time::Instant::now();
    let n = alquerque::rules::perft(b, 12);
    println!("{n} {:?}", t.elapsed());
}
