#!/usr/bin/env python3
"""A job of Spark whose processes are killed gives the same rows: first executors are killed at random times, then,
in another run, Python's workers. Linux; takes some minutes.

    python bindings/python/checks/kill.py              # --rows 40000 --kills 10 --seed 1

A task may fail as often as it likes here (`spark.task.maxFailures`, `spark.deploy.maxExecutorRetries`): with Spark's
own settings a job gives up when a task has failed four times.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from rows import signed

PARTITIONS = 64


def processes() -> dict[int, tuple[int, str]]:
    """The parent and the command line of each process that this one has started, at any depth."""
    known = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            known[int(entry.name)] = (int(stat.rsplit(")", 1)[1].split()[1]), line)
    mine, grown = {os.getpid()}, True
    while grown:
        found = {child for child, (parent, _) in known.items() if parent in mine}
        grown = not found <= mine
        mine |= found
    return {child: known[child] for child in mine if child in known and child != os.getpid()}


def executors() -> list[int]:
    return [child for child, (_, line) in processes().items() if "CoarseGrainedExecutorBackend" in line]


def workers() -> list[int]:
    """Those that Python's daemon has forked, which run tasks."""
    known = processes()
    daemons = {child for child, (_, line) in known.items() if "pyspark.daemon" in line}
    return [child for child in daemons if known[child][0] in daemons]


class Killer(threading.Thread):
    """Kills so many processes at random times, one after the other."""

    def __init__(self, find: Callable[[], list[int]], kills: int, draw: random.Random) -> None:
        super().__init__(daemon=True)
        self.find, self.left, self.draw, self.killed = find, kills, draw, 0
        self.ended = threading.Event()

    def run(self) -> None:
        while self.left and not self.ended.wait(self.draw.uniform(0.5, 5)):
            if victims := self.find():
                try:
                    os.kill(self.draw.choice(sorted(victims)), signal.SIGKILL)
                except ProcessLookupError:
                    continue
                self.left -= 1
                self.killed += 1


def session(further: Mapping[str, str] | None = None) -> Any:
    """A cluster of two workers with one core each, on this machine."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.task.maxFailures": "1000",
        "spark.stage.maxConsecutiveAttempts": "1000",
        "spark.deploy.maxExecutorRetries": "-1",
        "spark.sql.files.maxPartitionBytes": str(1 << 40),
        "spark.sql.files.openCostInBytes": str(1 << 40),
        **(further or {}),
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def rows_of(folder: str) -> Any:
    return pa.concat_tables([pq.read_table(file) for file in sorted(Path(folder).glob("*.parquet"))]).sort_by("id")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=40_000, help="of each of the 64 partitions")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "given"
        given.mkdir()
        for part in range(PARTITIONS):
            table = signed(part * asked.rows, asked.rows)
            # Each hundredth row has the signature of its neighbour.
            order = [row + 1 if row % 100 == 0 else row for row in range(asked.rows)]
            table = table.set_column(3, "sig", table["sig"].take(pa.array(order)))
            pq.write_table(table, given / f"{part:03}.parquet")
        spark = session()
        # After the session: a fork has copied nothing of the library.
        import phalanx.spark

        expected = None
        for name, find in (("nothing", None), ("executors", executors), ("Python's workers", workers)):
            killer = Killer(find, asked.kills, draw) if find else None
            if killer:
                killer.start()
            out = str(Path(folder) / f"out of {name}")
            begin = time.monotonic()
            df = spark.read.parquet(str(given))
            assert df.rdd.getNumPartitions() == PARTITIONS
            phalanx.spark.verify(df, output="id", backend="portable").write.parquet(out)
            seconds = time.monotonic() - begin
            killed = 0
            if killer:
                killer.ended.set()
                killer.join()
                killed = killer.killed
                if killer.left:
                    print(f"the job ended after {killed} of {asked.kills} kills: give it more --rows")
                    return 1
            found = rows_of(out)
            invalid = found["valid"].to_pylist().count(False)
            assert len(found) == PARTITIONS * asked.rows and invalid == PARTITIONS * -(-asked.rows // 100)
            expected = found if expected is None else expected
            same = found.equals(expected)
            print(f"killed {killed:2} of {name}: {len(found):,} rows in {seconds:.0f} s, "
                  f"{'as' if same else 'NOT as'} in an undisturbed run", flush=True)
            if not same:
                return 1
        spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
