#!/usr/bin/env python3
"""What Spark costs beside the command: CPU a row of `phalanx.spark.verify` on a cluster of two workers on this
machine, and of `phalanx verify --out` on the same files, start-up apart. Linux; takes some minutes.

    cargo build --release -p phalanx-cli
    maturin develop --release -m bindings/python/Cargo.toml
    python bindings/python/checks/spark_cost.py target/release/phalanx      # --rows 10000000 --files 64
    python bindings/python/checks/spark_cost.py target/release/phalanx --backend fma --backend portable

Three jobs of Spark split it: what reading and writing cost, what the way to Python's workers and back costs, and all.
All write as `phalanx-spark` does. What Java's compilers take while they compile Spark's code is said apart: it is part
of the start. To make the rows takes longest: `--keep FOLDER` keeps them for the next run.
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
from typing import Any, NamedTuple

import pyarrow.parquet as pq
from kill import processes, session
from rows import signed

import phalanx.spark

TICKS = os.sysconf("SC_CLK_TCK")
PARTS = ("executors", "Python", "driver", "compilers")


class Spent(NamedTuple):
    """What a job took: seconds of CPU by part, and seconds that went by. Those of Java's compilers are start-up."""

    parts: tuple[float, ...]
    seconds: float

    @property
    def cpu(self) -> float:
        return sum(part for name, part in zip(PARTS, self.parts) if name != "compilers")


def ticks(stat: Path) -> tuple[str, str, int] | None:
    """Of a process or a thread its name, when it began, and the CPU that it has taken; none where it has ended."""
    try:
        begin, end = stat.read_text().split("(", 1)[1].rsplit(")", 1)
    except OSError:
        return None
    fields = end.split()
    return begin, fields[19], int(fields[11]) + int(fields[12])


class Clock(threading.Thread):
    """Counts the CPU of all processes that this one has started. It looks often, since the time of a process that has
    ended goes to its parent only where that one waits for it, which not all do."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.processes: dict[tuple[int, str], tuple[str, int]] = {}
        self.compilers: dict[tuple[int, str, str], tuple[str, int]] = {}
        self.lock = threading.Lock()

    def run(self) -> None:
        while True:
            self.seconds()
            time.sleep(0.25)

    def seconds(self) -> tuple[float, ...]:
        """Seconds of CPU of each part until now."""
        with self.lock:
            for child, (_, line) in processes().items():
                java = "executors" if "CoarseGrainedExecutorBackend" in line else "driver"
                part = "Python" if "pyspark.daemon" in line else java
                # By the process, and when it began: numbers come again.
                if found := ticks(Path(f"/proc/{child}/stat")):
                    self.processes[child, found[1]] = part, found[2]
                for thread in Path(f"/proc/{child}/task").glob("*") if part != "Python" else ():
                    # The name of a thread has 15 letters.
                    if (found := ticks(thread / "stat")) and found[0] in ("C1 CompilerThre", "C2 CompilerThre"):
                        self.compilers[child, thread.name, found[1]] = part, found[2]
            total = dict.fromkeys(PARTS, 0)
            for part, taken in self.processes.values():
                total[part] += taken
            for part, taken in self.compilers.values():
                total[part] -= taken
                total["compilers"] += taken
            return tuple(total[name] / TICKS for name in PARTS)


def command(arguments: list[str], rows: int) -> Spent:
    """A run of the command, all of whose rows are valid."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    run = subprocess.run(arguments, capture_output=True, check=True)
    seconds = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert json.loads(run.stdout)["valid"] == rows
    cpu = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
    return Spent((cpu, *[0.0] * (len(PARTS) - 1)), seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", help="the command `phalanx`, built with --release")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--files", type=int, default=64)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--backend", action="append", help="instead of the best; may be given more than once")
    parser.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of Spark")
    parser.add_argument("--keep", type=Path, help="where the rows are, or will be")
    asked = parser.parse_args()
    if phalanx._phalanx.checks_arithmetic:
        parser.error("the package was built with the profile dev: build it with --release")
    rows = asked.rows // asked.files * asked.files
    backends = asked.backend or phalanx.backends()[:1]
    with tempfile.TemporaryDirectory() as folder:
        given = asked.keep or Path(folder) / "given"
        given.mkdir(exist_ok=True)
        of_file = rows // asked.files
        for number in range(len(list(given.iterdir())), asked.files):
            pq.write_table(signed(number * of_file, of_file), given / f"{number:03}.parquet")
        files = sorted(str(file) for file in given.iterdir())
        if sum(pq.read_metadata(file).num_rows for file in files) != rows:
            parser.error(f"{given} holds other rows")
        spark = session(dict(setting.split("=", 1) for setting in asked.conf))

        def handed_on(batches: Iterator[Any]) -> Iterator[Any]:
            yield from batches

        df = spark.read.parquet(str(given))
        clock = Clock()
        clock.start()

        def written(frame: Any) -> Spent:
            path = Path(folder) / "out"
            before, begin = clock.seconds(), time.monotonic()
            phalanx.spark._writer(frame).parquet(str(path))
            seconds = time.monotonic() - begin
            parts = tuple(after - first for after, first in zip(clock.seconds(), before))
            shutil.rmtree(path)
            return Spent(parts, seconds)

        # All columns are handed on, as Spark does.
        arguments = [asked.command, "verify", *files, "--out", str(Path(folder) / "out.parquet"), "--json", "--quiet"]
        arguments += ["-j", "2", "--keep", "msg_hash,pubkey,sig", "--backend"]
        jobs: dict[str, Callable[[], Spent]] = {
            "Spark reads and writes": lambda: written(df),
            "and by Python's workers": lambda: written(df.mapInArrow(handed_on, df.schema)),
        }
        for name in backends:
            jobs[f"the command, {name}"] = lambda name=name: command([*arguments, name], rows)  # type: ignore[misc]
            jobs[f"and verifies, {name}"] = lambda name=name: written(  # type: ignore[misc]
                phalanx.spark.verify(df, backend=name)
            )
        for name, job in jobs.items():
            if "command" not in name:
                job()  # The machinery is compiled as it runs.
        found: dict[str, list[Spent]] = {name: [] for name in jobs}
        for _ in range(asked.runs):
            for name, job in jobs.items():
                found[name].append(job())
        spark.stop()
    print(f"{rows:,} rows in {asked.files} files, two cores, medians of {asked.runs} interleaved runs")
    median = {name: statistics.median(spent.cpu for spent in runs) / rows * 1e6 for name, runs in found.items()}
    for name, runs in found.items():
        rate = rows / statistics.median(spent.seconds for spent in runs)
        print(f"{name:24} {median[name]:6.2f} us of CPU a row, {rate:10,.0f} rows a second", end="")
        for place, part in enumerate(PARTS if "command" not in name else ()):
            taken = statistics.median(spent.parts[place] for spent in runs)
            print(f"; {part} {taken / rows * 1e6:.2f}", end="")
        print()
    for name in backends:
        ours, whole = median[f"the command, {name}"], median[f"and verifies, {name}"]
        share = f"{ours / whole:.0%} of its rows for the same CPU"
        print(f"{name}: {whole - ours:.2f} us of CPU a row more than the command, {share}")


if __name__ == "__main__":
    main()
