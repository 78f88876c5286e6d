#!/usr/bin/env python3
"""Builds exact tables on a Dask cluster: the pairs of one total of stones are spread over machines.

    pip install dask distributed
    scripts/tables_dask.py --scheduler tcp://host:8786 --stones 14 --dir /shared/tables

The directory and the program must be visible to every worker under the same path. A pair needs all
smaller totals, so totals follow one another. Finished slices stay on disk: a worker that is lost loses
the pair in work, which is started again elsewhere, and the whole command goes on where it stopped.
Without --scheduler, local workers are started.
"""

import argparse
import subprocess
import sys
import time


def build(program: str, mover: int, other: int, directory: str, options: list[str]) -> str:
    """Builds one pair; nothing is done if it is there."""
    command = [program, "tables", "build", "--stones", str(mover + other)]
    command += ["--slice", f"{mover},{other}", "--dir", directory, *options]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{mover},{other}: {result.stderr.strip()}")
    return f"{mover},{other}"


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scheduler", help="address of the scheduler, tcp://HOST:PORT")
    parser.add_argument("--workers", type=int, help="local workers, if there is no scheduler")
    parser.add_argument("--stones", type=int, required=True, help="positions of up to so many stones")
    parser.add_argument("--dir", required=True, help="the directory of the tables")
    parser.add_argument("--program", default="alquerque", help="alquerque on the workers")
    parser.add_argument("--threads", type=int, help="threads of one worker's build")
    parser.add_argument("--memory", type=int, help="MiB of one worker's build")
    parser.add_argument("--distances", type=int, help="see alquerque tables build --help")
    arguments = parser.parse_args()
    if not 2 <= arguments.stones <= 24:
        parser.error("--stones must be from 2 to 24")
    return arguments


def pairs(total: int) -> list[tuple[int, int]]:
    """The pairs of a total, the largest first: they take longest."""
    sides = [(total - other, other) for other in range(total // 2, 0, -1)]
    return [(mover, other) for mover, other in sides if mover <= 12]


def main() -> int:
    arguments = parse()
    try:
        from distributed import Client, as_completed
    except ImportError:
        print("tables_dask.py needs Dask: pip install dask distributed", file=sys.stderr)
        return 1
    options = []
    for name in ("threads", "memory", "distances"):
        if getattr(arguments, name) is not None:
            options += [f"--{name}", str(getattr(arguments, name))]
    if arguments.scheduler:
        client = Client(arguments.scheduler)
    else:
        client = Client(n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None)
    start = time.monotonic()
    with client:
        for total in range(2, arguments.stones + 1):
            wanted = pairs(total)
            tasks = [
                client.submit(
                    build,
                    arguments.program,
                    mover,
                    other,
                    arguments.dir,
                    options,
                    key=f"{arguments.dir}-{mover}-{other}",
                    retries=3,
                )
                for mover, other in wanted
            ]
            for count, task in enumerate(as_completed(tasks), 1):
                pair = task.result()
                seconds = time.monotonic() - start
                done = f"{total} stones: {count}/{len(wanted)} pairs, {pair} done, {seconds:.0f} s"
                print(done, file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
