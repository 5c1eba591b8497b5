"""Paths and lazy queries are read a part at a time, and answered as tables are."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import phalanx

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

# Not a multiple of the rows of a part.
ROWS = 150_000


@pytest.fixture(scope="module")
def many(signed: dict[str, Any]) -> Any:
    """Rows of which nearly all are malformed, which costs no time: one part, two parts and a bit."""
    nulls = [None] * (ROWS - 50)
    columns = {name: pa.array([*values, *nulls]) for name, values in signed.items()}
    return pa.table(columns)


@pytest.fixture(scope="module")
def file(many: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("parts") / "signatures.parquet"
    parquet.write_table(many, path)
    return path


def scanned(path: Path) -> Any:
    return pytest.importorskip("polars").scan_parquet(path)


KINDS: list[Callable[[Path], Any]] = [str, Path, scanned]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_answers_as_for_a_table(many: Any, file: Path, kind: Callable[[Path], Any]) -> None:
    pl = pytest.importorskip("polars")
    expected = phalanx.verify(many)
    found = phalanx.verify(kind(file))
    assert found.column_names == expected.column_names and len(found) == ROWS
    assert found.reasons() == expected.reasons() and found.reasons()[49:51] == ["valid", "malformed_row"]
    assert found.counts == expected.counts and found.high_s_rows == expected.high_s_rows
    assert found.exit_status == expected.exit_status == 3
    assert pl.DataFrame(found).equals(pl.DataFrame(expected))
    named = phalanx.verify(kind(file), columns={"sig": "sig"}, output="id", low_s="require", threads=1)
    assert named.column_names == ["id", "valid", "reason", "column"]
    assert phalanx.verify_batch(kind(file)).counts == expected.counts
    # A part at a time, by itself and among others.
    parts = list(phalanx.iter_verify(kind(file), output="id"))
    assert len(parts) > 2 and max(map(len, parts)) <= 1 << 16
    assert [reason for part in parts for reason in part.reasons()] == expected.reasons()
    assert sum(map(len, phalanx.iter_verify([kind(file), many], output="id"))) == 2 * ROWS


@pytest.mark.parametrize("kind", KINDS)
def test_recovery(tmp_path: Path, signed: dict[str, Any], kind: Callable[[Path], Any]) -> None:
    secret = phalanx.SecretKey.from_bytes(bytes([7] * 32))
    made = phalanx.sign(signed["msg_hash"], [secret] * 50, recoverable=True).to_list()
    parquet.write_table(pa.table({"msg_hash": signed["msg_hash"], "sig": made}), tmp_path / "ids")
    found = phalanx.recover(kind(tmp_path / "ids"))
    assert set(pa.table(found)["public_key"].to_pylist()) == {secret.public_key().to_bytes()}
    assert [len(part) for part in phalanx.iter_recover(kind(tmp_path / "ids"))] == [50]
    parquet.write_table(pa.table({"msg_hash": signed["msg_hash"], "sig": signed["sig"]}), tmp_path / "none")
    with pytest.raises(ValueError, match="the signature of the first row has none"):
        phalanx.recover(kind(tmp_path / "none"))


@pytest.mark.parametrize("kind", KINDS)
def test_sums(tmp_path: Path, signed: dict[str, Any], kind: Callable[[Path], Any]) -> None:
    rows = 70_000
    table = pa.table({"scalar": [n.to_bytes(32, "big") for n in range(rows)], "point": signed["pubkey"] * (rows // 50)})
    parquet.write_table(table, tmp_path / "terms")
    told: list[tuple[int, int]] = []
    found = phalanx.sum_of_products(kind(tmp_path / "terms"), progress=lambda done, total: told.append((done, total)))
    assert found == phalanx.sum_of_products(table)
    assert told == sorted(told) and told[-1] == (rows, rows)
    # Rows are counted from the first of the file.
    wrong = table.set_column(0, "scalar", pa.array([*table["scalar"].to_pylist()[:-1], bytes([255] * 32)]))
    parquet.write_table(wrong, tmp_path / "wrong")
    with pytest.raises(phalanx.PhalanxError, match="row 69999: out_of_range: scalar"):
        phalanx.sum_of_products(kind(tmp_path / "wrong"))


@pytest.mark.parametrize("kind", KINDS)
def test_no_rows(tmp_path: Path, many: Any, kind: Callable[[Path], Any]) -> None:
    parquet.write_table(many.slice(0, 0), tmp_path / "empty")
    found = phalanx.verify(kind(tmp_path / "empty"))
    assert len(found) == 0 and found.column_names == [*many.column_names, "valid", "reason", "column"]
    parquet.write_table(many.slice(0, 0).drop_columns("sig"), tmp_path / "lacking")
    with pytest.raises(ValueError, match="no column `sig`"):
        phalanx.verify(kind(tmp_path / "lacking"))


def test_progress(file: Path) -> None:
    told: list[tuple[int, int]] = []
    phalanx.verify(file, output="id", progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told) and {total for _, total in told} == {ROWS} and told[-1][0] == ROWS
    # What a query will give is not known before it has.
    told.clear()
    phalanx.verify(scanned(file), output="id", progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told) and told[-1] == (ROWS, ROWS)


def test_what_is_no_file_of_parquet(tmp_path: Path, many: Any) -> None:
    for call in (phalanx.verify, phalanx.verify_batch, phalanx.recover, phalanx.sum_of_products):
        with pytest.raises(FileNotFoundError, match="nowhere"):
            call(tmp_path / "nowhere")
        with pytest.raises(IsADirectoryError, match="is a folder.*iter_verify"):
            call(str(tmp_path))
    (tmp_path / "rows.csv").write_text("msg_hash,pubkey,sig\n")
    with pytest.raises(ValueError, match="rows.csv' is no Parquet file"):
        phalanx.verify(tmp_path / "rows.csv")
    # No answer comes of a file that breaks off, or that is damaged further on.
    parquet.write_table(many, tmp_path / "whole", compression="none", use_dictionary=False)
    whole = (tmp_path / "whole").read_bytes()
    (tmp_path / "half").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="half' is no Parquet file"):
        phalanx.verify(tmp_path / "half")
    (tmp_path / "damaged").write_bytes(whole[:4] + bytes([255]) * 64 + whole[68:])
    with pytest.raises(OSError):
        phalanx.verify(tmp_path / "damaged")


def test_without_pyarrow(file: Path) -> None:
    program = "import sys; sys.modules['pyarrow'] = None; import phalanx; phalanx.verify(sys.argv[1])"
    ended = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=False)
    assert "ImportError: pyarrow reads files, and is not there" in ended.stderr, ended.stderr


def test_polars_that_has_no_batches(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    query = scanned(file)
    monkeypatch.delattr(type(query), "collect_batches")
    with pytest.raises(TypeError, match=r"give lazy\.collect\(\)"):
        phalanx.verify(query)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """One group of rows of 240 MB, of large rows in pages of a megabyte: parts are held, and not the file."""
    rows = 4000
    message = pa.array(os.urandom(60_000) for _ in range(rows))
    nulls = pa.nulls(rows, pa.binary())
    table = pa.table({"message": message, "pubkey": nulls, "sig": nulls})
    parquet.write_table(table, tmp_path / "large", compression="none", use_dictionary=False, write_batch_size=16)
    assert parquet.read_metadata(tmp_path / "large").row_group(0).total_byte_size > 240_000_000
    # What the pool has held at most is a figure of the whole process.
    program = "import phalanx, pyarrow, sys; print(len(phalanx.verify(sys.argv[1], output='id')), " \
        "pyarrow.default_memory_pool().max_memory())"
    run = [sys.executable, "-c", program, str(tmp_path / "large")]
    found, most = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    assert int(found) == rows and int(most) < 120_000_000
