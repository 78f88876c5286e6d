#!/usr/bin/env python3
"""Spreads a match over a Dask cluster: each task plays one shard, the parts are merged at the end.

    pip install dask distributed
    scripts/match_dask.py --scheduler tcp://host:8786 --shards 64 --folder /shared/match1 -- \\
        --engine name=new,cmd=/shared/new --engine name=old,cmd=/shared/old --tc 10+0.1 --games 4000

What follows `--` are options of `alquerque match` (not --shard, --out, --jsonl, --pgn or --sprt).
The folder and the programs must be visible to every worker under the same path. A worker that is
lost loses nothing: its shards are started again elsewhere and go on from their journals. So does the
whole command. Without --scheduler, local workers are started, one for each processor.
"""

import argparse
import pathlib
import subprocess
import sys
import time


def play(program: str, options: list[str], index: int, shards: int, folder: str) -> int:
    """Plays a shard to its end, or goes on with it."""
    out = pathlib.Path(folder) / f"shard-{index}-of-{shards}.jsonl"
    command = [program, "match", *options, "--shard", f"{index}/{shards}", "--out", str(out)]
    # If this worker is killed the pipe closes, and the runner stops instead of playing on unseen.
    command.append("--stop-at-eof")
    # A runner whose worker was just killed may hold the journal for a moment longer.
    for _ in range(20):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        with subprocess.Popen(command, text=True, **pipes) as runner:
            errors = runner.stderr.read()
            code = runner.wait()
        if code == 0:
            return index
        if "is in use" not in errors:
            break
        time.sleep(0.5)
    raise RuntimeError(f"shard {index}: exit code {code}: {errors.strip()}")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scheduler", help="address of the scheduler, tcp://HOST:PORT")
    parser.add_argument("--workers", type=int, help="local workers, if there is no scheduler")
    parser.add_argument("--shards", type=int, default=64, help="parts of the match (64)")
    parser.add_argument("--folder", required=True, help="where the parts are written")
    parser.add_argument("--program", default="alquerque", help="alquerque on the workers")
    parser.add_argument("--merged", help="write the whole match into this journal as well")
    parser.add_argument("options", nargs="+", help="options of alquerque match, after --")
    arguments = parser.parse_args()
    own = {"--shard", "--out", "--jsonl", "--pgn", "--sprt", "--resume"}
    for option in arguments.options:
        if option.split("=")[0] in own:
            parser.error(f"{option} cannot be used here: the parts are written to --folder")
    if arguments.shards < 1:
        parser.error("--shards must be at least 1")
    return arguments


def main() -> int:
    arguments = parse()
    try:
        from distributed import Client, as_completed
    except ImportError:
        print("match_dask.py needs Dask: pip install dask distributed", file=sys.stderr)
        return 1
    pathlib.Path(arguments.folder).mkdir(parents=True, exist_ok=True)
    if arguments.scheduler:
        client = Client(arguments.scheduler)
    else:
        client = Client(n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None)
    shards = range(1, arguments.shards + 1)
    with client:
        tasks = [
            client.submit(
                play,
                arguments.program,
                arguments.options,
                index,
                arguments.shards,
                arguments.folder,
                key=f"{arguments.folder}-{index}-of-{arguments.shards}",
                retries=3,
            )
            for index in shards
        ]
        start = time.monotonic()
        for count, task in enumerate(as_completed(tasks), 1):
            task.result()
            left = (time.monotonic() - start) / count * (arguments.shards - count)
            print(f"{count}/{arguments.shards} shards, {left:.0f} s left", file=sys.stderr)
    folder = pathlib.Path(arguments.folder)
    files = [str(folder / f"shard-{index}-of-{arguments.shards}.jsonl") for index in shards]
    merge = [arguments.program, "merge", *files]
    if arguments.merged:
        merge += ["--jsonl", arguments.merged]
    return subprocess.run(merge).returncode


if __name__ == "__main__":
    sys.exit(main())
