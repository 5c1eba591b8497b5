"""Verdicts by Spark Connect: a session that has no SparkContext and talks to a server, which it starts here.

By itself: a process has sessions of this kind or of the other.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from payments import LABELS, SCAN, SPEND, index, without_tweaks

import phalanx

pa = pytest.importorskip("pyarrow")
for module in ("pyspark", "grpc", "grpc_status", "zstandard"):
    pytest.importorskip(module)
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("there is no Java", allow_module_level=True)

import phalanx.spark  # noqa: E402


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.remote("local[2]").getOrCreate()
    assert type(session).__module__ == "pyspark.sql.connect.session"
    yield session
    session.stop()


def test_verdicts_and_counts(spark: Any, signed: dict[str, Any]) -> None:
    rows = {**signed, "pubkey": [b"x", None, *signed["pubkey"][2:]], "sig": signed["sig"][:49] + [signed["sig"][0]]}
    expected = pa.table(phalanx.verify(rows)).select(["id", "valid", "reason", "column"]).to_pylist()
    given = spark.createDataFrame(pa.table(rows)).repartition(3)
    verdicts = phalanx.spark.verify(given)
    assert verdicts.columns == ["id", "msg_hash", "pubkey", "sig", "valid", "reason", "column"]
    found = sorted((row["id"], row["valid"], row["reason"], row["column"]) for row in verdicts.collect())
    assert found == sorted(tuple(row.values()) for row in expected)
    counts = {"valid": 47, "invalid_signature": 1, "malformed_row": 1, "bad_public_key": 1}
    assert phalanx.spark.counts(verdicts) == counts
    with pytest.raises(ValueError, match="no column `sig`"):
        phalanx.spark.verify(given.drop("sig"))


def test_recovery(spark: Any) -> None:
    secret = phalanx.SecretKey.from_bytes(bytes([7] * 32))
    digests = [bytes([n] * 32) for n in range(10)]
    signed = phalanx.sign(digests, [secret] * 10, recoverable=True).to_list()
    found = phalanx.spark.recover(spark.createDataFrame(pa.table({"msg_hash": digests, "sig": signed}))).collect()
    assert [(row["valid"], bytes(row["public_key"])) for row in found] == [(True, secret.public_key().to_bytes())] * 10


def test_scans(spark: Any, tmp_path: Path) -> None:
    columns, expected = index(40)
    (tmp_path / "scan-key").write_text(SCAN.to_bytes().hex())
    given = spark.createDataFrame(pa.table({**columns, "outputs": pa.array(columns["outputs"], pa.list_(pa.binary()))}))
    matches = phalanx.spark.scan(given, tmp_path / "scan-key", SPEND.public_key(), LABELS).toArrow()
    found = matches.filter(matches["malformed"].is_null()).drop_columns("malformed").sort_by("height").to_pylist()
    names = ("txid", "height", "output", "k", "label", "key")
    wanted = [{name: match[name] for name in names} for match in expected]
    assert sorted(without_tweaks(found), key=lambda row: (row["height"], row["k"])) == wanted and len(matches) == 14
