"""What calls copy, and the memory that they take beside what they give."""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import phalanx

pa = pytest.importorskip("pyarrow")
np = pytest.importorskip("numpy")

RESET = Path("/proc/self/clear_refs")
if not os.access(RESET, os.W_OK):
    pytest.skip("this system does not tell a process's most memory: copies are not counted", allow_module_level=True)

# The pieces that threads are at, threads' stacks, and what allocators and large pages keep at the end of each buffer.
CHUNKS = 8 << 20


def memory_of(call: Callable[[], Any]) -> tuple[int, Any]:
    """By how many bytes a call raises the most memory that the process has had at once, and what it gives."""

    def kilobytes(name: str) -> int:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(name))

    # What allocators keep of things that are gone would be used again.
    pa.default_memory_pool().release_unused()
    getattr(ctypes.CDLL(None), "malloc_trim", lambda _: 0)(0)
    RESET.write_text("5")
    before = kilobytes("VmRSS")
    given = call()
    return (kilobytes("VmHWM") - before) * 1024, given


def words(rows: int) -> Any:
    """Bytes that are secret keys, and anything else of 32 bytes."""
    joined = b"".join(hashlib.sha256(n.to_bytes(4, "big")).digest() for n in range(rows))
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(32), rows, [None, pa.py_buffer(joined)])


def signatures(rows: int) -> Any:
    """A table in one piece, each row under a key of its own: keys that come again get tables. Its signatures can be read
    and are not valid, which takes as long."""
    digests = words(rows)
    numbers = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(64), rows, [None, pa.py_buffer(np.repeat(np.frombuffer(digests.buffers()[1], "V32"), 2))]
    )
    keys = pa.array(phalanx.public_keys(digests))
    return pa.table({"msg_hash": digests, "pubkey": keys, "sig": numbers})


@pytest.mark.parametrize("threads", [1, 2])
def test_a_call_takes_its_output_and_its_chunks(threads: int) -> None:
    table = signatures(50_000)
    taken, found = memory_of(lambda: phalanx.verify(table, threads=threads))
    answers = pa.table(found).select(["valid", "reason", "column"])
    assert found.counts["invalid_signature"] == 50_000 and answers.nbytes > 50_000 * 20
    assert taken < answers.nbytes + CHUNKS


@pytest.mark.parametrize("rows", [500_000, 2_000_000])
@pytest.mark.parametrize("threads", [1, 2])
def test_chunks_do_not_grow_with_the_rows(rows: int, threads: int) -> None:
    # Nothing is computed for rows without a signature.
    nulls = pa.nulls(rows)
    table = pa.table({"msg_hash": nulls, "pubkey": nulls, "sig": nulls, "v": nulls})
    for call, width in ((phalanx.verify, 24), (phalanx.recover, 77)):
        taken, found = memory_of(lambda: call(table, threads=threads, output="id"))
        answers = pa.table(found).nbytes
        assert found.counts["malformed_row"] == rows and answers > rows * width
        assert taken < answers + CHUNKS
        del found


@pytest.mark.parametrize("threads", [1, 2])
def test_calls_on_secrets_take_their_output_and_their_chunks(threads: int) -> None:
    rows = 200_000
    secrets = words(rows)
    points = pa.array([phalanx.SecretKey.from_bytes(bytes([1] * 32)).public_key().to_bytes()] * rows)
    calls: list[tuple[int, Callable[[], phalanx.Column]]] = [
        (33, lambda: phalanx.public_keys(secrets, threads=threads)),
        (64, lambda: phalanx.sign(secrets, secrets, threads=threads)),
        (64, lambda: phalanx.sign(secrets, secrets, scheme="schnorr", threads=threads)),
        (32, lambda: phalanx.ecdh(points, secrets, threads=threads)),
    ]
    for width, call in calls:
        taken, found = memory_of(call)
        assert len(found) == rows and found.width == width
        assert taken < rows * width + CHUNKS
        del found
    # Those of an array are copied once.
    array = np.frombuffer(secrets.buffers()[1], np.uint8).reshape(rows, 32)
    taken, found = memory_of(lambda: phalanx.public_keys(array, threads=threads))
    assert len(found) == rows and taken < rows * (33 + 32) + CHUNKS


def test_sums_take_their_output_and_their_chunks() -> None:
    points = [phalanx.SecretKey.from_bytes(bytes([n] * 32)).public_key().to_bytes() for n in range(1, 5)]
    base = phalanx.FixedBase(points, memory=1 << 16)
    vectors = np.random.default_rng(1).integers(0, 128, (200_000, 128), np.uint8)
    rows = pa.FixedSizeBinaryArray.from_buffers(pa.binary(128), len(vectors), [None, pa.py_buffer(vectors)])
    taken, found = memory_of(lambda: base.sums(rows, threads=2))
    # Sums by tables take more memory for each of the vectors that are summed side by side.
    assert len(found) == 200_000 and taken < 200_000 * 33 + 2 * CHUNKS


@pytest.mark.parametrize("threads", [1, 2])
def test_scans_and_children_take_their_output_and_their_chunks(threads: int) -> None:
    rows = 40_000
    secret = phalanx.SecretKey.from_bytes(bytes([1] * 32))
    scanner = phalanx.Scanner(secret, secret.public_key())
    # Keys are copied for the pieces that threads are at.
    outputs = pa.ListArray.from_arrays(np.arange(0, 20 * rows + 1, 20, dtype=np.int32), words(20 * rows))
    index = pa.table({"tweak_key": [secret.public_key().to_bytes()] * rows, "outputs": outputs})
    taken, matches = memory_of(lambda: phalanx.scan(index, [scanner], threads=threads))
    assert len(matches) == 0 and matches.rows == rows and index.nbytes > 3 * CHUNKS
    assert taken < CHUNKS
    account = (
        "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V"
    )
    taken, children = memory_of(lambda: phalanx.derive(account, range(100_000), threads=threads))
    assert len(children) == 100_000 and pa.table(children).nbytes == 100_000 * 45
    assert taken < pa.table(children).nbytes + CHUNKS


def held(kind: str, columns: dict[str, list[Any]]) -> Any:
    """A table of one kind."""
    match kind:
        case "NumPy":
            big = np.frombuffer(b"".join(columns["message"]), np.uint8)
            return {**columns, "message": big.reshape(len(columns["message"]), -1)}
        case "polars":
            return pytest.importorskip("polars").DataFrame(columns)
        case "pandas":
            return pa.table(columns).to_pandas(types_mapper=pytest.importorskip("pandas").ArrowDtype)
        case "objects of pandas":
            return pytest.importorskip("pandas").DataFrame(columns)
        case "DuckDB":
            given = pa.table(columns)  # noqa: F841 (the query reads it by its name)
            return pytest.importorskip("duckdb").sql("select * from given").to_arrow_table()
        case "DuckDB's relation":
            duckdb = pytest.importorskip("duckdb")
            given = pa.table(columns)  # noqa: F841
            connection = duckdb.connect()
            connection.execute("create table held as select * from given")
            return connection.table("held")
    return columns if kind == "lists" else pa.table(columns)


@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [
        ("Arrow", 0, 0),
        ("DuckDB", 0, 0),
        # DuckDB makes its result, and may hold it in its own form while it does.
        ("DuckDB's relation", 1, 2),
        ("polars", 0, 0),
        ("pandas", 0, 0),
        # pandas makes an Arrow table, whose memory grows while it does.
        ("objects of pandas", 1, 2),
        ("NumPy", 1, 1),
        ("lists", 1, 1),
    ],
)
def test_copies_are_counted(kind: str, least: int, most: int) -> None:
    """How often a call has copied a table when it holds most, by the memory that it takes."""
    columns: dict[str, list[Any]] = {
        "scheme": ["schnorr"] * 1000,
        "message": [bytes([n % 251]) * 64_000 for n in range(1000)],
        "pubkey": [bytes(32)] * 1000,
        "sig": [bytes(64)] * 1000,
    }
    given = held(kind, columns)
    phalanx.verify(held(kind, {name: values[:1] for name, values in columns.items()}), output="id")
    taken, _ = memory_of(lambda: phalanx.verify(given, threads=1, output="id"))
    assert least - 0.4 < taken / 64_000_000 < most + 0.4, taken
