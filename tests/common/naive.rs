//! The rules once more on letters and coordinates, without anything of the library.

pub type Grid = [char; 25];

fn joined(file: i32, rank: i32, df: i32, dr: i32) -> bool {
    df == 0 || dr == 0 || (file + rank) % 2 == 0
}

fn at(grid: &Grid, file: i32, rank: i32) -> Option<char> {
    let inside = (0..5).contains(&file) && (0..5).contains(&rank);
    inside.then(|| grid[(rank * 5 + file) as usize])
}

fn name(file: i32, rank: i32) -> String {
    format!("{}{}", ["a", "b", "c", "d", "e"][file as usize], rank + 1)
}

/// All moves of the stones marked `o` against those marked `x`.
pub fn moves(grid: &Grid) -> Vec<String> {
    let (mut steps, mut chains) = (Vec::new(), Vec::new());
    for file in 0..5 {
        for rank in 0..5 {
            if at(grid, file, rank) != Some('o') {
                continue;
            }
            let start = name(file, rank);
            for (df, dr) in directions() {
                let free = at(grid, file + df, rank + dr) == Some('.');
                if free && joined(file, rank, df, dr) {
                    steps.push(start.clone() + &name(file + df, rank + dr));
                }
            }
            let before = chains.len();
            go_on(*grid, file, rank, start.clone(), &mut chains);
            if chains[before..] == [start] {
                chains.pop();
            }
        }
    }
    let mut moves = if chains.is_empty() { steps } else { chains };
    moves.sort();
    moves
}

fn directions() -> impl Iterator<Item = (i32, i32)> {
    let all = (-1..=1).flat_map(|df| (-1..=1).map(move |dr| (df, dr)));
    all.filter(|&way| way != (0, 0))
}

fn go_on(grid: Grid, file: i32, rank: i32, path: String, chains: &mut Vec<String>) {
    let mut ended = true;
    for (df, dr) in directions() {
        let (to_file, to_rank) = (file + 2 * df, rank + 2 * dr);
        let enemy = at(&grid, file + df, rank + dr) == Some('x');
        let free = at(&grid, to_file, to_rank) == Some('.');
        if joined(file, rank, df, dr) && enemy && free {
            let mut next = grid;
            next[(rank * 5 + file) as usize] = '.';
            next[((rank + dr) * 5 + file + df) as usize] = '.';
            next[(to_rank * 5 + to_file) as usize] = 'o';
            ended = false;
            go_on(
                next,
                to_file,
                to_rank,
                path.clone() + &name(to_file, to_rank),
                chains,
            );
        }
    }
    if ended {
        chains.push(path);
    }
}

/// What each move of `o` leads to, the sides changed: `o` is to move again.
pub fn children(grid: &Grid) -> Vec<Grid> {
    moves(grid).iter().map(|path| after(grid, path)).collect()
}

fn after(grid: &Grid, path: &str) -> Grid {
    let point = |name: &[u8]| (i32::from(name[0] - b'a'), i32::from(name[1] - b'1'));
    let index = |(file, rank): (i32, i32)| (rank * 5 + file) as usize;
    let stops: Vec<(i32, i32)> = path.as_bytes().chunks(2).map(point).collect();
    let mut next = *grid;
    next[index(stops[0])] = '.';
    for pair in stops.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        // The point between two neighbours is one of them.
        let jump = (a.0 - b.0).abs().max((a.1 - b.1).abs()) == 2;
        if jump {
            next[index(((a.0 + b.0) / 2, (a.1 + b.1) / 2))] = '.';
        }
    }
    next[index(stops[stops.len() - 1])] = 'o';
    next.map(|stone| match stone {
        'o' => 'x',
        'x' => 'o',
        free => free,
    })
}
