#!/usr/bin/env python3
"""What Spark costs beside the command: CPU a row of `phalanx.spark.verify` on a cluster of two workers on this
machine, and of `phalanx verify --out` on the same files, start-up apart. Linux; takes some minutes.

    cargo build --release -p phalanx-cli
    python crates/python/checks/spark_cost.py target/release/phalanx      # --rows 10000000 --files 64

Three jobs of Spark split it: what reading and writing cost, what the way to Python's workers and back costs, and all.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from kill import processes, session
from rows import signed

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of_children() -> float:
    """Seconds of CPU of all processes that this one has started, and of those that they have waited for."""
    total = 0
    for child in processes():
        try:
            fields = Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += sum(int(field) for field in fields[11:15])
    return total / TICKS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", help="the command `phalanx`, built with --release")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--files", type=int, default=64)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--backend", default=None)
    asked = parser.parse_args()
    rows = asked.rows // asked.files * asked.files
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "given"
        given.mkdir()
        for part in range(asked.files):
            pq.write_table(signed(part * (rows // asked.files), rows // asked.files), given / f"{part:03}.parquet")
        files = sorted(str(file) for file in given.iterdir())
        spark = session()
        import phalanx.spark

        def handed_on(batches: Iterator[Any]) -> Iterator[Any]:
            yield from batches

        df = spark.read.parquet(str(given))
        out = 0

        def written(frame: Any) -> None:
            nonlocal out
            out += 1
            frame.write.parquet(str(Path(folder) / f"out {out}"))

        jobs: dict[str, Callable[[], None]] = {
            "read and write": lambda: written(df),
            "and by Python's workers": lambda: written(df.mapInArrow(handed_on, df.schema)),
            "and verify": lambda: written(phalanx.spark.verify(df, backend=asked.backend)),
        }
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
            cpu, begin = cpu_of_children(), time.monotonic()
            jobs[name]()
            return cpu_of_children() - cpu, time.monotonic() - begin

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
