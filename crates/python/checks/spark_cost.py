#!/usr/bin/env python3
"""What Spark costs beside the command: CPU a row of `phalanx.spark.verify` on a cluster of two workers on this
machine, and of `phalanx verify --out` on the same files, start-up apart. Linux; takes some minutes.

    cargo build --release -p phalanx-cli
    python crates/python/checks/spark_cost.py target/release/phalanx      # --rows 10000000 --files 64

Three jobs of Spark split it: what reading and writing cost, what the way to Python's workers and back costs, and all.
All write as `phalanx-spark` does. To make the rows takes longest: `--keep FOLDER` keeps them for the next run.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from kill import processes, session
from rows import signed

TICKS = os.sysconf("SC_CLK_TCK")


class Clock(threading.Thread):
    """Counts the CPU of all processes that this one has started. It looks often, since the time of a process that has
    ended goes to its parent only where that one waits for it, which not all do."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.spent: dict[tuple[int, str], int] = {}
        self.lock = threading.Lock()

    def run(self) -> None:
        while True:
            self.seconds()
            time.sleep(0.25)

    def seconds(self) -> float:
        """Seconds of CPU until now."""
        with self.lock:
            for child in processes():
                try:
                    fields = Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()
                except OSError:
                    continue
                # By the process, and when it began: numbers come again.
                self.spent[child, fields[19]] = int(fields[11]) + int(fields[12])
            return sum(self.spent.values()) / TICKS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", help="the command `phalanx`, built with --release")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--files", type=int, default=64)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--backend", default=None)
    parser.add_argument("--keep", type=Path, help="where the rows are, or will be")
    asked = parser.parse_args()
    rows = asked.rows // asked.files * asked.files
    with tempfile.TemporaryDirectory() as folder:
        given = asked.keep or Path(folder) / "given"
        given.mkdir(exist_ok=True)
        for part in range(len(list(given.iterdir())), asked.files):
            pq.write_table(signed(part * (rows // asked.files), rows // asked.files), given / f"{part:03}.parquet")
        files = sorted(str(file) for file in given.iterdir())
        if sum(pq.read_metadata(file).num_rows for file in files) != rows:
            parser.error(f"{given} holds other rows")
        spark = session()
        import phalanx.spark

        def handed_on(batches: Iterator[Any]) -> Iterator[Any]:
            yield from batches

        df = spark.read.parquet(str(given))
        out = 0

        def written(frame: Any) -> None:
            nonlocal out
            out += 1
            path = Path(folder) / f"out {out}"
            phalanx.spark._writer(frame).parquet(str(path))
            shutil.rmtree(path)

        jobs: dict[str, Callable[[], None]] = {
            "read and write": lambda: written(df),
            "and by Python's workers": lambda: written(df.mapInArrow(handed_on, df.schema)),
            "and verify": lambda: written(phalanx.spark.verify(df, backend=asked.backend)),
        }
        clock = Clock()
        clock.start()
        options = ["--backend", asked.backend] if asked.backend else []

        def command() -> tuple[float, float]:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            begin = time.monotonic()
            # All columns are handed on, as Spark does.
            arguments = ["verify", *files, "--out", str(Path(folder) / "out.parquet"), "--json", "--quiet", "-j", "2"]
            run = subprocess.run(
                [asked.command, *arguments, "--keep", "msg_hash,pubkey,sig", *options], capture_output=True, check=True
            )
            seconds = time.monotonic() - begin
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            assert json.loads(run.stdout)["valid"] == rows
            return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime), seconds

        def job(name: str) -> tuple[float, float]:
            cpu, begin = clock.seconds(), time.monotonic()
            jobs[name]()
            return clock.seconds() - cpu, time.monotonic() - begin

        for name in jobs:
            job(name)  # The machinery is compiled as it runs.
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in ("the command", *jobs)}
        for _ in range(asked.runs):
            found["the command"].append(command())
            for name in jobs:
                found[name].append(job(name))
        spark.stop()
    print(f"{rows:,} rows in {asked.files} files, two cores, medians of {asked.runs} interleaved runs")
    for name, runs in found.items():
        cpu, seconds = (statistics.median(run[place] for run in runs) for place in (0, 1))
        print(f"{name:24} {cpu / rows * 1e6:6.2f} us of CPU a row, {rows / seconds:10,.0f} rows a second")


if __name__ == "__main__":
    main()
