//! Time to a fixed depth and to a proven win over the suite of `alquerque bench --suite`, with one
//! thread and two, alternating.
//!
//! `cargo bench --bench search -- [ROUNDS]`

use alquerque::protocol::suite;

/// Rounds, unless told otherwise.
const ROUNDS: usize = 3;

fn main() {
    // Cargo adds an argument of its own.
    let rounds = std::env::args().skip(1).find_map(|word| word.parse().ok());
    let mut means = [Vec::new(), Vec::new()];
    for _ in 0..rounds.unwrap_or(ROUNDS) {
        for (threads, means) in [1, 2].into_iter().zip(&mut means) {
            match suite(threads, &mut |_| ()) {
                Ok(result) => {
                    println!("{threads} threads: {result}");
                    means.push([result.mean_ms(true), result.mean_ms(false)]);
                }
                Err(error) => return println!("search: {error}"),
            }
        }
    }
    for (kind, goal) in ["depth", "a win"].into_iter().enumerate() {
        let [one, two] = &means;
        let ratios = one.iter().zip(two).map(|(one, two)| one[kind] / two[kind]);
        let ratios: Vec<String> = ratios.map(|ratio| format!("{ratio:.2}")).collect();
        println!(
            "two threads are so many times as fast to {goal}: {}",
            ratios.join(" ")
        );
    }
}
