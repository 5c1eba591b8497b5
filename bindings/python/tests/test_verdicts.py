"""The shipped rows and those with errors: the verdicts that their files and the command give."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import phalanx

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

BACKENDS = phalanx.backends()


def rows_of_csv(path: Path) -> dict[str, list[str | None]]:
    """The columns of a CSV file; an empty field is null."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] or None for row in rows] for name in rows[0]}


def without(table: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: values for name, values in table.items() if name not in names}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("batch", ["auto", "always", "never"])
def test_rows_with_errors_get_their_verdict(sample: Path, backend: str, batch: Any) -> None:
    table = rows_of_csv(sample / "errors.csv")
    inputs = without(table, "expected_reason", "expected_low_s_require")
    allowed = phalanx.verify(inputs, backend=backend, batch=batch)
    assert allowed.reasons() == table["expected_reason"]
    assert len(allowed) == 89
    required = phalanx.verify(inputs, low_s="require", backend=backend, batch=batch)
    assert required.reasons() == table["expected_low_s_require"]
    assert required.exit_status == 3


@pytest.mark.parametrize("backend", BACKENDS)
def test_rows_with_errors_of_json_get_their_verdict(sample: Path, backend: str) -> None:
    # Of JSON lines, columns of text can carry those whose values are text, null or absent.
    rows = [json.loads(line) for line in (sample / "errors.jsonl").read_text().splitlines()]
    columns = ("scheme", "msg_hash", "message", "pubkey", "sig")
    rows = [row for row in rows if all(isinstance(row.get(name, ""), str) or row[name] is None for name in columns)]
    # Where a value is absent from a row of a table, it is null, and that of `scheme` may not be.
    for row in rows:
        row.setdefault("scheme", "schnorr" if len(row.get("pubkey") or "") == 64 else "ecdsa")
    table = {name: [row.get(name) for row in rows] for name in columns}
    found = phalanx.verify(table, backend=backend)
    assert len(found) >= 80
    wrong = [
        (row["id"], row["expected_reason"], reason)
        for row, reason in zip(rows, found.reasons())
        if row["expected_reason"] != reason
    ]
    assert wrong == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_recoveries_with_errors_get_their_verdict(sample: Path, backend: str) -> None:
    table = rows_of_csv(sample / "recover-errors.csv")
    found = phalanx.recover(without(table, "expected_reason"), backend=backend)
    assert found.reasons() == table["expected_reason"]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_real_rows_are_valid(sample: Path, backend: str, threads: int) -> None:
    for name in ["bitcoin-block-277647.parquet", "bitcoin-transaction-bb41a757.parquet"]:
        found = phalanx.verify(pq.read_table(sample / name), backend=backend, threads=threads)
        assert all(found.valid()) and found.exit_status == 0
        if name == "bitcoin-block-277647.parquet":
            assert (len(found), found.high_s_rows) == (732, 366)
    found = phalanx.recover(pq.read_table(sample / "ethereum-senders.parquet"), backend=backend, threads=threads)
    assert len(found) == 422 and all(found.valid())


def command(repository: Path) -> Path:
    """The command, where the workspace has been built."""
    named = os.environ.get("PHALANX_COMMAND")
    places = [Path(named)] if named else [repository / "target" / kind / "phalanx" for kind in ("release", "debug")]
    for place in places:
        if place.exists():
            return place
    pytest.skip("the command `phalanx` is not built: its verdicts are not compared")


@pytest.mark.parametrize(
    ("job", "name"),
    [
        ("verify", "errors.csv"),
        ("verify", "bitcoin-64.csv"),
        ("verify", "schnorr-64.csv"),
        ("recover", "recover-errors.csv"),
        ("recover", "ethereum-64.csv"),
    ],
)
@pytest.mark.parametrize("low_s", ["allow", "require"])
def test_the_command_says_the_same(
    repository: Path, sample: Path, tmp_path: Path, job: str, name: str, low_s: Any
) -> None:
    out = tmp_path / "out.parquet"
    run = subprocess.run(
        [command(repository), job, sample / name, "--out", out, "--low-s", low_s, "--quiet", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    table = without(rows_of_csv(sample / name), "expected_reason", "expected_low_s_require")
    found = (phalanx.verify if job == "verify" else phalanx.recover)(table, low_s=low_s)
    assert run.returncode == found.exit_status, run.stderr
    summary = json.loads(run.stdout)
    assert summary["reasons"] == found.counts
    assert summary["high_s_rows"] == found.high_s_rows
    theirs, ours = pq.read_table(out), pa.table(found)
    for column in ["valid", "reason", "column"] + (["public_key", "address"] if job == "recover" else []):
        assert theirs[column].to_pylist() == ours[column].to_pylist()


def test_larger_rows_are_valid(shared: Path) -> None:
    counts = {}
    for name in ["bitcoin-block-866342", "bitcoin-block-300025"]:
        found = phalanx.verify(pq.read_table(shared / "data" / f"{name}.parquet"))
        counts[name] = (len(found), sum(found.valid()), found.high_s_rows)
    assert counts == {"bitcoin-block-866342": (7429, 7429, 0), "bitcoin-block-300025": (1424, 1424, 524)}
    found = phalanx.recover(pq.read_table(shared / "data" / "ethereum-senders.parquet"))
    assert (len(found), sum(found.valid())) == (2985, 2985)
