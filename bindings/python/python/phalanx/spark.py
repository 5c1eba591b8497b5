"""Tables that are too large for one machine: `verify`, `recover` and `scan` on DataFrames of Apache Spark.

    import phalanx.spark

    verdicts = phalanx.spark.verify(spark.read.parquet("signatures"))
    verdicts.write.parquet("verdicts")

Each is one stage of `mapInArrow`: rows do not move, nothing is kept on the driver, and a task that is run again gives
the same rows again. The command `phalanx-spark` does it from a folder to a folder.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import BinaryType, BooleanType, IntegerType, LongType, StringType, StructField, StructType

from phalanx import _phalanx
from phalanx._bulk import Batch, Der, LowS, Output, V, _rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameWriter, SparkSession

__all__ = ["counts", "main", "recover", "scan", "verify"]

_Job = Literal["verify", "recover"]

# What Spark's types are for the columns that are appended.
_APPENDED = {
    "public_key": StructField("public_key", BinaryType()),
    "address": StructField("address", BinaryType()),
    "valid": StructField("valid", BooleanType(), nullable=False),
    "reason": StructField("reason", StringType(), nullable=False),
    "column": StructField("column", StringType()),
}

# The columns of a scan behind those that are handed on. A row that cannot be read has the last of them alone.
_OF_SCAN = {
    "output": (LongType(), pa.int64()),
    "k": (IntegerType(), pa.int32()),
    "label": (LongType(), pa.int64()),
    "key": (BinaryType(), pa.binary()),
    "tweak": (BinaryType(), pa.binary()),
    "malformed": (StringType(), pa.string()),
}


def verify(
    df: DataFrame,
    *,
    columns: Mapping[str, str] | None = None,
    output: Output = "all",
    low_s: LowS = "allow",
    der: Der = "strict",
    hybrid_keys: bool = False,
    batch: Batch = "auto",
    v: V | None = None,
    backend: str | None = None,
) -> DataFrame:
    """The rows with the columns `valid`, `reason` and `column` behind them, as `phalanx.verify` finds them.

    ValueError at once for a table that lacks a column. A task computes on the one core that Spark gives it.
    """
    return _answered("verify", df, columns, output, low_s, der, backend, hybrid_keys, batch, v)


def recover(
    df: DataFrame,
    *,
    columns: Mapping[str, str] | None = None,
    output: Output = "all",
    low_s: LowS = "allow",
    der: Der = "strict",
    v: V | None = None,
    backend: str | None = None,
) -> DataFrame:
    """The rows with `public_key`, `address`, `valid`, `reason` and `column` behind them, as `phalanx.recover` has them.

    Rows without a recovery id are malformed, even where no row has one: Spark has no first row to tell by.
    """
    return _answered("recover", df, columns, output, low_s, der, backend, False, "never", v)


def scan(
    df: DataFrame,
    scan_key: str | os.PathLike[str],
    spend_key: _phalanx.PublicKey | bytes,
    labels: Iterable[int] = (),
    *,
    backend: str | None = None,
) -> DataFrame:
    """The outputs that are a receiver's in the rows of an index, as `phalanx.scan` finds them.

    `scan_key` is the path of a file with the scan secret, as `SecretKey.from_file` reads it, on every worker: the
    secret is in no task. The columns are `txid` and `height`, as far as the index has them, `output`, `k`, `label`, `key`,
    `tweak`, and `malformed`. A row of the index that cannot be read comes out too: `malformed` says why, and it is null
    in all others.

    ValueError or TypeError at once for a table whose columns cannot be those of an index, and for keys and labels that
    are none.
    """
    path, numbers = os.fspath(scan_key), list(labels)
    spend = spend_key.to_bytes() if isinstance(spend_key, _phalanx.PublicKey) else bytes(spend_key)
    empty = to_arrow_schema(df.schema).empty_table()
    anybody = _phalanx.Scanner(_phalanx.SecretKey.generate(), spend, numbers)
    found = _phalanx.scan([empty], [anybody], threads=1).column_names
    kept = found[: found.index("row")]
    types = {field.name.lower(): field.dataType for field in df.schema.fields}
    fields = [StructField(name, types[name]) for name in kept]
    schema = StructType(fields + [StructField(name, of_spark) for name, (of_spark, _) in _OF_SCAN.items()])

    def answer(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        scanner = _phalanx.Scanner(_phalanx.SecretKey.from_file(path), spend, numbers)
        for batch in batches:
            matches = _phalanx.scan([batch], [scanner], threads=1, backend=backend)
            yield from _of_scan(matches, batch, kept).to_batches()

    return df.mapInArrow(answer, schema)


def _of_scan(matches: _phalanx.Matches, batch: pa.RecordBatch, kept: Sequence[str]) -> pa.Table:
    """The matches of a batch, and behind them its rows that cannot be read."""
    found = pa.table(matches)
    places = {name.lower(): place for place, name in enumerate(batch.schema.names)}
    bad = pa.array(matches.malformed.keys(), pa.int64())
    columns = {}
    for name in kept:
        of_bad = batch.column(places[name]).take(bad)
        columns[name] = pa.chunked_array([*found[name].chunks, of_bad], of_bad.type)
    for name, (_, kind) in _OF_SCAN.items():
        if name == "malformed":
            chunks = [pa.nulls(len(found), kind), pa.array(matches.malformed.values(), kind)]
        else:
            chunks = [*found[name].cast(kind).chunks, pa.nulls(len(bad), kind)]
        columns[name] = pa.chunked_array(chunks, kind)
    return pa.table(columns)


def counts(verdicts: DataFrame) -> dict[str, int]:
    """How many rows have each verdict, by an aggregation over rows that have one. Write them first, and count what was
    written: else they are computed twice."""
    return {row["reason"]: row["count"] for row in verdicts.groupBy("reason").count().collect()}


def _answered(job: _Job, df: DataFrame, *options: Any) -> DataFrame:
    # What the columns are is found out on the driver, by a table of no rows; what rows are, by the tasks alone.
    names = df.columns
    if len(set(names)) != len(names):
        raise ValueError("two columns have one name")
    empty = to_arrow_schema(df.schema).empty_table()
    fields = {field.name: field for field in df.schema.fields}
    # The names that the input has too have been refused.
    found = _rows(job, *options).answer(empty, first=False, threads=1).column_names
    for name in found[: -len(_new(job))]:
        # Spark takes such names for one, unless it is told otherwise.
        if name.lower() in _new(job):
            raise ValueError(f"the output would have two columns `{name.lower()}`: one comes as `{name}`")
    schema = StructType([_APPENDED[name] if name in _new(job) else fields[name] for name in found])

    def answer(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = _rows(job, *options)
        for batch in batches:
            answered = pa.table(rows.answer(batch, first=False, threads=1))
            for place, name in enumerate(answered.column_names):
                if pa.types.is_fixed_size_binary(answered.schema.field(place).type) and name in _new(job):
                    # Spark knows no values of fixed length.
                    answered = answered.set_column(place, name, answered.column(place).cast(pa.binary()))
            yield from answered.to_batches()

    return df.mapInArrow(answer, schema)


def _new(job: _Job) -> tuple[str, ...]:
    """The names of the columns that are appended."""
    return ("valid", "reason", "column") if job == "verify" else tuple(_APPENDED)


def _writer(df: DataFrame) -> DataFrameWriter:
    """What writes rows to Parquet without dictionaries of bytes: digests, keys and signatures hardly repeat, and looking
    for repetitions costs time."""
    writer = df.write
    for field in df.schema.fields:
        if isinstance(field.dataType, BinaryType):
            writer = writer.option(f"parquet.enable.dictionary#{field.name}", "false")
    return writer


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="phalanx-spark",
        description="Parquet folder in, Parquet folder with a verdict for each row out, by Apache Spark. `scan`: an index "
        "of silent payments in, a receiver's outputs out.",
        epilog="Exit status: 0 every row is valid, or was scanned; 1 some row is invalid, none malformed; 3 some row is "
        "malformed; 2 wrong usage, or a folder that cannot be read or written; 130 interrupted.",
    )
    parser.add_argument("job", choices=["verify", "recover", "scan"])
    parser.add_argument("input", help="a folder or file of Parquet, or whatever else Spark reads as such")
    parser.add_argument("output", help="a folder, which must not exist")
    parser.add_argument("--columns", default="", metavar="ROLE=NAME,...", help="names of columns, as sig=signature")
    parser.add_argument("--keep", metavar="NAME,...", help="hand on the id and these columns; by default all")
    parser.add_argument("--low-s", choices=["allow", "require"], default="allow")
    parser.add_argument("--der", choices=["strict", "lax"], default="strict")
    parser.add_argument("--v", choices=["last", "eip155", "header", "eip2098"], help="where recovery ids stand")
    parser.add_argument("--hybrid-keys", action="store_true", help="verify: accept 65-byte keys of 06 or 07")
    parser.add_argument("--batch", choices=["auto", "always", "never"], help="verify: by sums (by default auto)")
    parser.add_argument("--scan-key", metavar="FILE", help="scan: the file with the scan secret, on every worker")
    parser.add_argument("--spend-key", metavar="HEX", help="scan: the spend key, 33 or 65 bytes")
    parser.add_argument("--labels", type=int, metavar="N", help="scan: how many labels there are, numbered from 1")
    parser.add_argument("--backend", help="instead of each machine's best")
    parser.add_argument("--master", help="Spark's master, where spark-submit names none")
    parser.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of Spark")
    return parser


def _pairs(texts: Sequence[str]) -> list[tuple[str, str]]:
    pairs = [tuple(text.split("=", 1)) for text in texts if text]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("expected NAME=VALUE")
    return [(name, value) for name, value in pairs]


def _is_plain(master: str | None, settings: Sequence[tuple[str, str]]) -> bool:
    """Whether Spark runs on this machine alone, and nothing says that a path may be one of another file system."""
    elsewhere = ["PYSPARK_GATEWAY_PORT", "SPARK_HOME", "SPARK_CONF_DIR", "SPARK_REMOTE", "HADOOP_CONF_DIR"]
    settles = any(key == "spark.master" or "defaultFS" in key for key, _ in settings)
    return (master or "local").startswith("local") and not settles and not any(name in os.environ for name in elsewhere)


def _check_paths(input: str, output: str) -> None:
    """Refuses, before Java starts, a path of this machine that is not there, and one to write that is."""

    def of_this_machine(path: str) -> str | None:
        # Other schemes and patterns are Spark's to read.
        found = re.fullmatch(r"(?:file:(?://(?=/))?)?([^:*?\[\]{}\\]+)", path)
        return found and found[1]

    if (path := of_this_machine(input)) and not os.path.exists(path):
        raise FileNotFoundError(f"there is no folder or file {input}")
    if (path := of_this_machine(output)) and os.path.exists(path):
        raise FileExistsError(f"{output} already exists")


def _session(master: str | None, settings: Sequence[tuple[str, str]]) -> SparkSession:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("phalanx")
    if (master or "").startswith("local"):
        # The tasks of a cluster on this machine run by the Python that runs this.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if _is_plain(master, settings):
        # What goes wrong is said by this command, in one line.
        builder = builder.config("spark.log.level", "OFF")
    if master:
        builder = builder.master(master)
    for key, value in settings:
        builder = builder.config(key, value)
    return builder.getOrCreate()


def _run(asked: argparse.Namespace, spark: SparkSession) -> int:
    """Writes the answers and the summary; returns the exit status."""
    begin = time.monotonic()
    df = spark.read.parquet(asked.input)
    answers = _scanned(df, asked) if asked.job == "scan" else _judged(df, asked)
    _writer(answers).mode("errorifexists").parquet(asked.output)
    written = spark.read.parquet(asked.output)
    summary: dict[str, Any]
    if asked.job == "scan":
        matches = written.filter("malformed is null").count()
        malformed = written.count() - matches
        summary = {"rows": df.count(), "matches": matches, "malformed": malformed}
        status = 3 if malformed else 0
    else:
        found = counts(written)
        rows, valid, invalid, malformed, status = _phalanx.classes(list(found.items()))
        summary = {"rows": rows, "valid": valid, "invalid": invalid, "malformed": malformed, "reasons": found}
    seconds = time.monotonic() - begin
    summary |= {"seconds": round(seconds, 6), "rows_per_second": round(summary["rows"] / seconds, 1)}
    print(json.dumps(summary), flush=True)
    return status


def _judged(df: DataFrame, asked: argparse.Namespace) -> DataFrame:
    options: dict[str, Any] = {
        "columns": dict(_pairs(asked.columns.split(","))),
        "output": asked.keep.split(",") if asked.keep is not None else "all",
        "low_s": asked.low_s,
        "der": asked.der,
        "v": asked.v,
        "backend": asked.backend,
    }
    if options["output"] == [""]:
        options["output"] = "id"
    if asked.job == "verify":
        return verify(df, hybrid_keys=asked.hybrid_keys, batch=asked.batch or "auto", **options)
    return recover(df, **options)


def _scanned(df: DataFrame, asked: argparse.Namespace) -> DataFrame:
    try:
        spend = bytes.fromhex(asked.spend_key.removeprefix("0x"))
    except ValueError:
        raise ValueError("--spend-key: 33 or 65 bytes in hex are needed") from None
    return scan(df, asked.scan_key, spend, range(1, (asked.labels or 0) + 1), backend=asked.backend)


def _said(error: Exception) -> str:
    """What an error of Spark says, on one line, without the trace of its machinery."""
    lines = [line.strip().removeprefix(": ") for line in str(error).splitlines()]
    lines = [line for line in lines if line and not line.startswith("An error occurred while calling")]
    # An exception in a task comes as the trace of Python's worker, whose last line says it.
    ours = [line for line in lines if re.match(r"(\w+Error|phalanx\.\w+): ", line)]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    said = ours[-1:] or [*lines[:1], *causes[-1:]]
    return ": ".join(re.sub(r"^[\w.$]+\.\w*(Exception|Error): ", "", line) for line in said)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `phalanx-spark`."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if asked.job != "verify" and (asked.hybrid_keys or asked.batch):
        parser.error("--hybrid-keys and --batch are options of verify")
    of_scan = [asked.scan_key, asked.spend_key, asked.labels]
    if asked.job == "scan":
        others = ("columns", "keep", "low_s", "der", "v", "hybrid_keys", "batch")
        if any(getattr(asked, name) != parser.get_default(name) for name in others):
            parser.error("options of rows of signatures are none of scan")
        if asked.scan_key is None or asked.spend_key is None:
            parser.error("scan needs --scan-key and --spend-key")
        if (asked.labels or 0) < 0:
            parser.error("--labels: a number, not below zero")
    elif any(option is not None for option in of_scan):
        parser.error("--scan-key, --spend-key and --labels are options of scan")
    try:
        settings = _pairs(asked.conf)
        if _is_plain(asked.master, settings):
            _check_paths(asked.input, asked.output)
        spark = _session(asked.master, settings)
        try:
            return _run(asked, spark)
        finally:
            spark.stop()
    except KeyboardInterrupt:
        return 130
    except (ValueError, TypeError, OSError) as error:
        print(f"phalanx-spark: {error}", file=sys.stderr)
    except Exception as error:
        if not isinstance(error, PySparkException) and not type(error).__module__.startswith("py4j."):
            raise
        print(f"phalanx-spark: {_said(error)}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
