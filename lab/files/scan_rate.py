"""How fast `phalanx scan` goes through a file, beside one bulk call of the library on the same rows in memory.

    cargo build --release -p phalanx-cli -p phalanx-capi
    python3 lab/files/scan_rate.py target/release/phalanx target/release/libphalanx.so

Makes an index of silent payments in Parquet, by `--rows`: each row has a tweak point, and one to three prefixes of
outputs. Both sides look for one receiver with label 0 alone, on one thread, in turn. Prints medians of rows a second, by
the clock on the wall and by CPU time of the whole process. Wants numpy and pyarrow.
"""

import argparse
import ctypes
import random
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

PART = 1_000_000
PRIME = 2**256 - 2**32 - 977
SPEND_KEY = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
SCAN_SECRET = bytes(range(1, 33))


class Column(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("stride", ctypes.c_size_t), ("width", ctypes.c_size_t)]

    @classmethod
    def of(cls, array):
        width = array.strides[0]
        return cls(array.ctypes.data, width, width)


class Options(ctypes.Structure):
    _fields_ = [("backend", ctypes.c_char_p), ("threads", ctypes.c_size_t), ("key_table_bytes", ctypes.c_size_t)]


def points(count):
    """Compressed points that are drawn with a seed."""
    draw = random.Random(352)
    found = []
    while len(found) < count:
        x = draw.randrange(PRIME)
        if pow(x**3 + 7, (PRIME - 1) // 2, PRIME) == 1:
            found.append(bytes([2 + draw.randrange(2)]) + x.to_bytes(32, "big"))
    return np.frombuffer(b"".join(found), np.uint8).reshape(count, 33)


def parts(rows):
    """Tweak points, offsets and prefixes of so many rows, a million at a time."""
    some, draw = points(20_000), np.random.default_rng(352)
    for first in range(0, rows, PART):
        count = min(PART, rows - first)
        offsets = np.concatenate([[0], np.cumsum(draw.integers(1, 4, count))]).astype(np.uint32)
        tweaks = some[draw.integers(0, len(some), count)]
        yield tweaks, offsets, draw.integers(-(2**63), 2**63 - 1, offsets[-1], dtype=np.int64)


def write(name, parts):
    writer = None
    for number, (tweaks, offsets, prefixes) in enumerate(parts):
        rows = len(tweaks)
        identity = np.random.default_rng(number).bytes(32 * rows)
        columns = {
            "txid": pa.FixedSizeBinaryArray.from_buffers(pa.binary(32), rows, [None, pa.py_buffer(identity)]).cast("binary"),
            "height": pa.array((number * PART + np.arange(rows)) // 2000, pa.int32()),
            "tweak_key": pa.FixedSizeBinaryArray.from_buffers(
                pa.binary(33), rows, [None, pa.py_buffer(tweaks.tobytes())]
            ).cast("binary"),
            "outputs": pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), pa.array(prefixes)),
        }
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(name, table.schema)
        # Groups of DuckDB's size.
        writer.write_table(table, row_group_size=122_880)
    writer.close()


def in_memory(library, backend):
    """A function of a part, which scans its rows by one call."""
    bulk, scanner = ctypes.c_void_p(), ctypes.c_void_p()
    assert library.phalanx_bulk_new(ctypes.byref(Options(backend, 1, 0)), ctypes.byref(bulk)) == 0
    spend_key = bytes.fromhex(SPEND_KEY)
    assert library.phalanx_scanner_new(SCAN_SECRET, spend_key, None, ctypes.c_size_t(0), ctypes.byref(scanner)) == 0

    def scan(tweaks, offsets, prefixes):
        found, verdicts = ctypes.c_size_t(), np.empty(len(tweaks), np.uint8)
        columns = [ctypes.byref(Column.of(array)) for array in (tweaks, prefixes, offsets)]
        status = library.phalanx_scan_silent_payments(
            bulk,
            ctypes.byref(scanner),
            ctypes.c_size_t(1),
            columns[0],
            columns[1],
            ctypes.c_size_t(len(prefixes)),
            columns[2],
            None,
            ctypes.c_size_t(0),
            ctypes.byref(found),
            ctypes.c_void_p(verdicts.ctypes.data),
            ctypes.c_size_t(len(tweaks)),
        )
        assert status == 0 and not verdicts.any() and found.value == 0

    return scan


def cpu(of):
    usage = resource.getrusage(of)
    return usage.ru_utime + usage.ru_stime


def timed(of, call):
    """Seconds by the clock, and of CPU."""
    before, clock = cpu(of), time.monotonic()
    call()
    return time.monotonic() - clock, cpu(of) - before


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("command", help="the command phalanx")
    options.add_argument("library", help="libphalanx.so")
    options.add_argument("--rows", type=int, default=10_000_000)
    options.add_argument("--turns", type=int, default=3)
    options.add_argument("--backend")
    options = options.parse_args()
    backend = options.backend and options.backend.encode()
    rows = list(parts(options.rows))
    scan = in_memory(ctypes.CDLL(options.library), backend)
    seconds = {"file": [], "memory": []}
    with tempfile.TemporaryDirectory() as folder:
        index, key = Path(folder, "index.parquet"), Path(folder, "scan-key.txt")
        write(index, rows)
        key.write_text(SCAN_SECRET.hex())
        key.chmod(0o600)
        command = [options.command, "scan", "--quiet", "--threads", "1", "--scan-key", key, "--spend-key", SPEND_KEY, index]
        command += ["--backend", options.backend] if backend else []

        def of_file():
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

        def of_memory():
            for part in rows:
                scan(*part)

        for _ in range(options.turns):
            seconds["file"].append(timed(resource.RUSAGE_CHILDREN, of_file))
            seconds["memory"].append(timed(resource.RUSAGE_SELF, of_memory))
    for number, what in enumerate(("clock", "CPU time")):
        file, memory = (statistics.median(pair[number] for pair in seconds[side]) for side in ("file", "memory"))
        print(f"{what}: file {options.rows / file:,.0f}, memory {options.rows / memory:,.0f} rows a second, {memory / file:.1%}")


main()
