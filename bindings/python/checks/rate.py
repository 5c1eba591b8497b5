#!/usr/bin/env python3
"""What a call from Python costs: `phalanx.verify` on an Arrow table beside the bulk call of the Rust library on the
same rows (through libphalanx, in the same process), and beside coincurve and cryptography in a loop.

    cargo build --release -p phalanx-capi
    pip install coincurve cryptography                     # and the wheel, built with --release
    python bindings/python/checks/rate.py target/release/libphalanx.so

Runs are interleaved, and figures are medians. It also prints how much memory a call takes besides its input.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from rows import signed

import phalanx


class Column(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("stride", ctypes.c_size_t), ("width", ctypes.c_size_t)]


class Options(ctypes.Structure):
    _fields_ = [("backend", ctypes.c_char_p), ("threads", ctypes.c_size_t), ("key_table_bytes", ctypes.c_size_t)]


def bulk_call(library: ctypes.CDLL, table: Any, threads: int) -> Callable[[], None]:
    """The Rust library's bulk call on the table's own memory."""
    columns = []
    for name, width in (("msg_hash", 32), ("sig", 64), ("pubkey", 33)):
        (chunk,) = table[name].chunks
        columns.append(Column(chunk.buffers()[1].address + chunk.offset * width, width, width))
    handle = ctypes.c_void_p()
    options = Options(None, threads, 0)
    assert library.phalanx_bulk_new(ctypes.byref(options), ctypes.byref(handle)) == 0
    verdicts = np.full(len(table), 255, np.uint8)
    call = library.phalanx_verify_ecdsa
    call.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int32, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    digests, signatures, keys = (ctypes.byref(column) for column in columns)

    def run() -> None:
        verdicts.fill(255)
        status = call(handle, digests, signatures, keys, 0, verdicts.ctypes.data, len(table), None)
        assert status == 0 and not verdicts.any()

    return run


def medians(runs: int, calls: dict[str, Callable[[], None]]) -> dict[str, float]:
    """The median seconds of each call, all of them in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for name, call in calls.items():
        call()
    for _ in range(runs):
        for name, call in calls.items():
            begin = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - begin)
    return {name: statistics.median(values) for name, values in seconds.items()}


def peak(call: Callable[[], None]) -> int:
    """By how many bytes a call raises the most memory that the process has had at once (Linux). What was freed before is
    given back first: a call that took it again would seem to take nothing."""

    def kilobytes(name: str) -> int:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(name))

    pa.default_memory_pool().release_unused()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/clear_refs", "w") as reset:
        reset.write("5")
    before = kilobytes("VmRSS")
    call()
    return (kilobytes("VmHWM") - before) * 1024


def in_a_loop(table: Any) -> dict[str, Callable[[], None]]:
    """The same rows by other packages, a call for each row."""
    import coincurve
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    digests, keys = table["msg_hash"].to_pylist(), table["pubkey"].to_pylist()
    signatures = [phalanx.Signature.from_compact(value).to_der() for value in table["sig"].to_pylist()]

    def by_coincurve() -> None:
        for digest, key, signature in zip(digests, keys, signatures):
            assert coincurve.PublicKey(key).verify(signature, digest, hasher=None)

    curve, scheme = ec.SECP256K1(), ec.ECDSA(utils.Prehashed(hashes.SHA256()))

    def by_cryptography() -> None:
        for digest, key, signature in zip(digests, keys, signatures):
            ec.EllipticCurvePublicKey.from_encoded_point(curve, key).verify(signature, digest, scheme)

    return {"coincurve": by_coincurve, "cryptography": by_cryptography}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", help="libphalanx.so of the same build")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=7)
    asked = parser.parse_args()
    if phalanx._phalanx.checks_arithmetic:
        parser.error("the package was built with the profile dev: build it with --release")
    library = ctypes.CDLL(asked.library)
    library.phalanx_bulk_new.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    table = signed(0, asked.rows).combine_chunks()
    bytes_of_table = table.nbytes
    print(f"{asked.rows:,} rows, backend {phalanx.backends()[0]}, medians of {asked.runs} interleaved runs")

    def verify(threads: int) -> Callable[[], None]:
        def run() -> None:
            assert phalanx.verify(table, threads=threads).counts["valid"] == len(table)

        return run

    answers = pa.table(phalanx.verify(table, output=[])).select(["valid", "reason", "column"]).nbytes
    taken = peak(verify(2))
    print(f"memory of a call besides the table's {bytes_of_table >> 20} MiB: {taken / (1 << 20):.1f} MiB, "
          f"of which its answers {answers / (1 << 20):.1f} MiB, {answers / asked.rows:.1f} bytes a row")
    for threads in (1, 2):
        found = medians(asked.runs, {"Rust": bulk_call(library, table, threads), "Python": verify(threads)})
        rust, python = (asked.rows / found[name] for name in ("Rust", "Python"))
        print(f"threads {threads}: Rust {rust:,.0f} rows/s, phalanx.verify {python:,.0f}, share {python / rust:.1%}")
    some = table.slice(0, 20_000).combine_chunks()

    def some_rows() -> None:
        assert phalanx.verify(some, threads=1).counts["valid"] == len(some)

    found = medians(min(asked.runs, 5), {"phalanx": some_rows, **in_a_loop(some)})
    for name in ("coincurve", "cryptography"):
        print(f"one thread, {len(some):,} rows: {found[name] / found['phalanx']:.1f} times {name} in a loop "
              f"({found[name] / len(some) * 1e6:.1f} and {found['phalanx'] / len(some) * 1e6:.1f} us a row)")


if __name__ == "__main__":
    main()
