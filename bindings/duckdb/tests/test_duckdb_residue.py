"""No query leaves the scan secret in memory when it is gone. The tweaks of matches are DuckDB's, and are not wiped."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from test_residue import PEER, label_tweak, of_files, scalar, searched, tells, tweak_of, words_of

# A child reads a part of a query's rows, while the query keeps the receiver, and drops it.
CHILD = """
import gc, os, sys, duckdb
extension, file, spend, outputs = sys.argv[1:]
def searched():
    os.write(1, b".")
    os.read(0, 1)
database = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": 2})
database.execute(f"LOAD '{extension}'")
database.execute("SET enable_progress_bar = false")
paying = f"CASE WHEN i = 0 THEN {outputs} ELSE [i] END"
database.execute(f"CREATE TABLE tweak AS SELECT unhex('{spend}') p, {paying}::BIGINT[] o FROM range(50000) r(i)")
call = f"phalanx_scan(p, o, '{file}', '{spend}', [1])"
query = f"SELECT len({call}) FROM tweak"
assert sorted(database.execute(query).fetchall()) == [(0,)] * 49999 + [(2,)]
try:
    database.execute(f"SELECT phalanx_scan(p, o, '{file}', '{spend}', [-1]) FROM tweak")
    raise SystemExit("a label was taken")
except duckdb.BinderException:
    pass
assert database.execute(query).fetchone() in [(0,), (2,)]
searched()
database.execute("SELECT 1").fetchall()
gc.collect()
searched()
"""


def secrets(key: bytes) -> Iterator[int]:
    """The words of the scan secret, of its digits, of the shared point and of the labels' tweaks."""
    yield from of_files(key)
    point = PEER.tweak_mul(key).to_bytes(compressed=False)
    for coordinate in (point[1:33], point[33:]):
        yield from words_of(int.from_bytes(coordinate, "big"))
    for label in (0, 1):
        yield from scalar(label_tweak(key, label))


def test_no_scan_secret_remains(extension: str, tmp_path: Path) -> None:
    key, file = hashlib.sha256(os.urandom(32)).digest(), tmp_path / "key"
    file.write_text(key.hex())
    needles = [word for word in secrets(key) if tells(word)]
    tweaks = [tweak_of(key, 0), tweak_of(key, 1, 1)]
    keys = [PEER.tweak_add(tweak.to_bytes(32, "big")).x_only().to_bytes() for tweak in tweaks]
    outputs = [int.from_bytes(key[:8], "big", signed=True) for key in keys]
    arguments = [sys.executable, "-c", CHILD, extension, str(file), PEER.to_bytes().hex(), str(outputs)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0}
    with subprocess.Popen(arguments, **pipes) as process:
        assert process.stdin is not None and process.stdout is not None
        found = []
        for _ in range(2):
            assert process.stdout.read(1) == b".", "the child has failed"
            found.append(searched(process, needles))
            process.stdin.write(b".")
    live, left = found
    assert live, "the search did not find the scan secret while the query keeps it"
    assert not left, f"{len(left)} words remain: {left[:8]}"
