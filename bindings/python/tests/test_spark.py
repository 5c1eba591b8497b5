"""Verdicts by Apache Spark, on a cluster of two workers on this machine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from payments import LABELS, SCAN, SPEND, index, prefixes, without_tweaks

import phalanx

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("pyspark")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("there is no Java", allow_module_level=True)

import phalanx.spark  # noqa: E402

CLUSTER = "local-cluster[2,1,1024]"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
}


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(CLUSTER)
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def frame(spark: Any, rows: dict[str, Any], partitions: int) -> Any:
    table = pa.table({name: rows[name] for name in ("id", "msg_hash", "pubkey", "sig")})
    return spark.createDataFrame(table).repartition(partitions)


def by_id(verdicts: Any) -> list[Any]:
    return sorted((row["id"], row["valid"], row["reason"], row["column"]) for row in verdicts.collect())


@pytest.fixture
def rows(signed: dict[str, Any]) -> dict[str, Any]:
    """Rows with errors among them."""
    keys = [b"x", None, *signed["pubkey"][2:]]
    return {**signed, "pubkey": keys, "sig": signed["sig"][:49] + [signed["sig"][0]]}


def test_the_same_verdicts(spark: Any, rows: dict[str, Any]) -> None:
    expected = pa.table(phalanx.verify(rows)).select(["id", "valid", "reason", "column"]).to_pylist()
    found = phalanx.spark.verify(frame(spark, rows, 3))
    assert found.columns == ["id", "msg_hash", "pubkey", "sig", "valid", "reason", "column"]
    assert by_id(found) == sorted(tuple(row.values()) for row in expected)
    assert phalanx.spark.counts(phalanx.spark.verify(frame(spark, rows, 2).limit(0))) == {}
    only = phalanx.spark.verify(frame(spark, rows, 2), output="id", low_s="require", batch="always")
    assert only.columns == ["id", "valid", "reason", "column"]
    assert phalanx.spark.counts(only) == {"valid": 47, "invalid_signature": 1, "malformed_row": 1, "bad_public_key": 1}


def test_skewed_and_empty_partitions(spark: Any, rows: dict[str, Any]) -> None:
    from pyspark.sql.functions import expr, spark_partition_id

    expected = pa.table(phalanx.verify(rows)).select(["id", "valid", "reason", "column"]).to_pylist()
    skewed = frame(spark, rows, 1).repartition(70, expr("id = 'row 3'"))
    sizes = skewed.groupBy(spark_partition_id()).count().collect()
    # Of 70 partitions at most two have rows, and one has nearly all.
    assert len(sizes) <= 2 and max(size["count"] for size in sizes) >= 49
    assert by_id(phalanx.spark.verify(skewed)) == sorted(tuple(row.values()) for row in expected)
    # Each row in a partition of its own, more or less, and many without any.
    assert by_id(phalanx.spark.verify(frame(spark, rows, 200))) == sorted(tuple(row.values()) for row in expected)


def test_recovery(spark: Any) -> None:
    secret = phalanx.SecretKey.from_bytes(bytes([7] * 32))
    digests = [bytes([n] * 32) for n in range(40)]
    signed = phalanx.sign(digests, [secret] * 40, recoverable=True).to_list()
    given = pa.table({"msg_hash": digests, "sig": [signed[0][:64], *signed[1:]]})  # type: ignore[index]
    found = phalanx.spark.recover(spark.createDataFrame(given)).collect()
    assert [row["valid"] for row in found] == [False] + [True] * 39
    assert (found[0]["reason"], found[0]["column"]) == ("malformed_row", "v")
    assert {bytes(row["public_key"]) for row in found[1:]} == {secret.public_key().to_bytes()}
    assert {bytes(row["address"]) for row in found[1:]} == {secret.public_key().address()}
    front = [bytes([31 + sig[64]]) + sig[:64] for sig in signed if sig is not None]
    headers = spark.createDataFrame(pa.table({"msg_hash": digests, "sig": front}))
    assert all(row["valid"] for row in phalanx.spark.recover(headers, v="header").collect())


def test_tables_that_do_not_fit(spark: Any, rows: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no column `sig`"):
        phalanx.spark.verify(frame(spark, rows, 1).drop("sig"))
    with pytest.raises(ValueError, match="two columns `valid`"):
        phalanx.spark.verify(phalanx.spark.verify(frame(spark, rows, 1)))
    for name in ("Valid", "REASON"):
        with pytest.raises(ValueError, match=f"two columns `{name.lower()}`: one comes as `{name}`"):
            phalanx.spark.verify(frame(spark, rows, 1).withColumnRenamed("id", name))
    with pytest.raises(ValueError, match="one name"):
        phalanx.spark.verify(frame(spark, rows, 1).selectExpr("*", "sig as id"))


def index_of_scans() -> tuple[Any, list[dict[str, Any]]]:
    """An index with two rows that cannot be read, and the matches in it."""
    columns, expected = index(100)
    columns["tweak_key"][1], columns["outputs"][2] = bytes(33), None
    outputs = pa.array([keys and prefixes([keys])[0] for keys in columns["outputs"]], pa.list_(pa.int64()))
    names = ("txid", "height", "output", "k", "label", "key")
    return pa.table({**columns, "outputs": outputs}), [{name: match[name] for name in names} for match in expected]


def check_scan(rows: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    bad = {row["height"]: row for row in rows if row["malformed"] is not None}
    assert {height: row["malformed"] for height, row in bad.items()} == {
        800_001: "tweak_key is no point of the curve",
        800_002: "outputs is missing",
    }
    assert all(row[name] is None for row in bad.values() for name in ("output", "k", "label", "key", "tweak"))
    found = []
    for row in rows:
        if row.pop("malformed") is None:
            # Rows of Spark have byte arrays.
            plain = {name: bytes(value) if isinstance(value, bytearray) else value for name, value in row.items()}
            found.append(plain)
    assert sorted(without_tweaks(found), key=lambda row: (row["height"], row["k"])) == expected


def test_scans(spark: Any, tmp_path: Path) -> None:
    given, expected = index_of_scans()
    key = tmp_path / "scan-key"
    df = spark.createDataFrame(given).repartition(7)
    # Workers read the key, and nothing else has it.
    with pytest.raises(Exception, match="FileNotFoundError"):
        phalanx.spark.scan(df, key, SPEND.public_key(), LABELS).collect()
    key.write_text(SCAN.to_bytes().hex())
    found = phalanx.spark.scan(df, key, SPEND.public_key(), LABELS)
    assert found.columns == ["txid", "height", "output", "k", "label", "key", "tweak", "malformed"]
    check_scan([row.asDict() for row in found.collect()], expected)
    assert found.schema["height"].dataType == df.schema["height"].dataType
    only = phalanx.spark.scan(df.selectExpr("outputs as OUTPUTS", "tweak_key"), key, SPEND.public_key().to_bytes())
    assert only.columns[0] == "output"
    assert only.filter("malformed is null").count() == sum(match["label"] in (None, 0) for match in expected)
    wrong: list[tuple[Any, Any, Any, str]] = [
        (df.drop("outputs"), SPEND.public_key(), [], "no column `outputs`"),
        (df, bytes(33), [], "public key"),
        (df, SPEND.public_key(), range(200_000), "100000 labels"),
    ]
    for refused, spend, labels, said in wrong:
        with pytest.raises(ValueError, match=said):
            phalanx.spark.scan(refused, key, spend, labels)
    with pytest.raises(TypeError, match="column `outputs`"):
        phalanx.spark.scan(df.drop("outputs").withColumnRenamed("height", "outputs"), key, SPEND.public_key())


@pytest.mark.parametrize("pattern", ["", "/*.parquet"])
def test_what_is_not_there_is_said_in_one_line(tmp_path: Path, pattern: str) -> None:
    """A folder is looked for before Java starts; a pattern is Spark's to read, whose Java greets and is silent then."""
    others = ("SPARK_", "HADOOP_", "PYSPARK_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(others)}
    settings = [f"--conf={key}={value}" for key, value in SETTINGS.items()]
    nowhere, out = str(tmp_path / "nowhere") + pattern, str(tmp_path / "out")
    run = [sys.executable, "-m", "phalanx.spark", "--master", "local[1]", *settings, "verify", nowhere, out]
    ended = subprocess.run(run, capture_output=True, text=True, timeout=240, env=environment, cwd=tmp_path)
    assert ended.returncode == 2 and ended.stdout == ""
    *greeting, said = ended.stderr.splitlines()
    assert said.startswith("phalanx-spark: ") and nowhere in said
    assert not any(word in line for line in greeting for word in ("Exception", "Error", "\tat ", "nowhere")), greeting
    assert greeting == [] or pattern


def test_the_command(spark: Any, rows: dict[str, Any], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Last: it stops the session."""
    good, bad, out = (str(tmp_path / name) for name in ("good", "bad", "out"))
    frame(spark, rows, 4).write.parquet(good)
    shutil.copytree(good, bad)
    (tmp_path / "bad" / "part-damaged.parquet").write_bytes(b"PAR1 and nothing that it promises PAR1")
    capfd.readouterr()

    assert phalanx.spark.main(["verify", good, out]) == 3
    summary = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert summary["reasons"] == {"valid": 47, "invalid_signature": 1, "malformed_row": 1, "bad_public_key": 1}
    assert (summary["rows"], summary["valid"], summary["invalid"], summary["malformed"]) == (50, 47, 2, 1)

    # Bytes are written as they are; other columns may have dictionaries.
    written = [parquet.read_metadata(part).row_group(0) for part in Path(out).glob("*.parquet")]
    columns = [group.column(place) for group in written for place in range(group.num_columns)]
    plain = {column.path_in_schema for column in columns if not any("DICTIONARY" in name for name in column.encodings)}
    assert plain >= {"msg_hash", "pubkey", "sig"} and "reason" not in plain

    settings = [f"--conf={key}={value}" for key, value in SETTINGS.items()]
    run = ["--master", "local[1]", *settings, "--conf=spark.log.level=OFF"]
    for arguments, said in [
        (["verify", good, out], "already exists"),
        (["verify", str(tmp_path / "nowhere"), out + "2"], "nowhere"),
        (["verify", good, out + "2", "--columns", "sig=nothing"], "no column `nothing`"),
        (["verify", good, out + "2", "--columns", "sig"], "NAME=VALUE"),
        (["verify", bad, out + "2"], "part-damaged.parquet"),
    ]:
        assert phalanx.spark.main([*run, *arguments]) == 2
        errors = [line for line in capfd.readouterr().err.splitlines() if line.startswith("phalanx-spark: ")]
        assert len(errors) == 1 and said in errors[0], errors
        assert not (tmp_path / "out2" / "_SUCCESS").exists()
    for arguments, said in [
        (["nonsense"], "invalid choice"),
        (["recover", good, out + "2", "--batch", "always"], "options of verify"),
        (["recover", good, out + "2", "--hybrid-keys"], "options of verify"),
    ]:
        with pytest.raises(SystemExit) as wrong:
            phalanx.spark.main(arguments)
        assert wrong.value.code == 2 and said in capfd.readouterr().err

    # As on a managed cluster (docs/use/spark.md): spark-submit takes the file, whose name ends in .py.
    submit = shutil.which("spark-submit", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert submit is not None
    settings = [part for key, value in SETTINGS.items() for part in ("--conf", f"{key}={value}")]
    file = phalanx.spark.__file__
    run = [submit, "--master", "local[1]", *settings, file, "verify", good, out + "3"]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    ended = subprocess.run(run, capture_output=True, text=True, timeout=240, env=environment, cwd=tmp_path)
    assert ended.returncode == 3, ended.stderr[-2000:]
    assert json.loads(ended.stdout.splitlines()[-1])["reasons"] == summary["reasons"]
    assert (tmp_path / "out3" / "_SUCCESS").exists()


def test_the_command_scans(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Behind the last: it makes sessions of its own."""
    given, expected = index_of_scans()
    parquet.write_table(given, tmp_path / "index.parquet")
    (tmp_path / "scan-key").write_text(SCAN.to_bytes().hex())
    spend = SPEND.public_key().to_bytes().hex()
    keys = ["--scan-key", str(tmp_path / "scan-key"), "--spend-key", spend, "--labels", "2"]
    places = [str(tmp_path / "index.parquet"), str(tmp_path / "out")]
    settings = [f"--conf={key}={value}" for key, value in SETTINGS.items()]
    run = ["--master", "local[1]", *settings, "--conf=spark.log.level=OFF"]
    capfd.readouterr()
    assert phalanx.spark.main([*run, "scan", *places, *keys]) == 3
    summary = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert [summary[name] for name in ("rows", "matches", "malformed")] == [100, len(expected), 2]
    check_scan(parquet.read_table(tmp_path / "out").to_pylist(), expected)
    for arguments, said in [
        ([places[0], places[1] + "2", *keys[:2], "--spend-key", "xy"], "--spend-key: 33 or 65 bytes in hex"),
        ([places[0], places[1] + "2", *keys[:2], "--spend-key", spend[2:]], "public key"),
        ([places[0], places[1] + "2", "--scan-key", str(tmp_path / "nowhere"), *keys[2:]], "FileNotFoundError: "),
    ]:
        assert phalanx.spark.main([*run, "scan", *arguments]) == 2
        errors = [line for line in capfd.readouterr().err.splitlines() if line.startswith("phalanx-spark: ")]
        assert len(errors) == 1 and said in errors[0], errors
        assert not (tmp_path / "out2" / "_SUCCESS").exists()
    for arguments, said in [
        (["scan", *places], "scan needs --scan-key"),
        (["scan", *places, *keys, "--keep", "txid"], "none of scan"),
        (["scan", *places, *keys[:4], "--labels=-1"], "not below zero"),
        (["verify", *places, *keys], "are options of scan"),
    ]:
        with pytest.raises(SystemExit):
            phalanx.spark.main(arguments)
        assert said in capfd.readouterr().err
