"""Columns that play no role: those that are not asked for are not read, and the others are handed on as far as Arrow
can hold them."""

from __future__ import annotations

import datetime
import decimal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import payments
import pytest

import phalanx

pa = pytest.importorskip("pyarrow")
np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

ROLES = ("id", "msg_hash", "pubkey", "sig")
WEI = 10**22


def of_pandas(columns: dict[str, Any], note: Any) -> Any:
    """The note is a list of Python's values, or a column of pandas."""
    return pd.DataFrame(columns).assign(note=pd.Series(note, dtype=object) if isinstance(note, list) else note)


def of_polars(columns: dict[str, Any], note: Any) -> Any:
    return pl.DataFrame(columns).with_columns(note.alias("note"))


def of_dict(columns: dict[str, Any], note: Any) -> Any:
    return {**columns, "note": note}


def of_lazy(columns: dict[str, Any], note: Any) -> Any:
    return of_polars(columns, note).lazy()


Make = Callable[[dict[str, Any], Any], Any]

# What is handed on, by the value of the first row.
HANDED_ON: dict[str, tuple[Make, Any, Any]] = {
    "polars null": (of_polars, pl.lit(None), None),
    "polars lists of null": (of_polars, pl.lit([None], dtype=pl.List(pl.Null)), [None]),
    "polars Int128": (of_polars, pl.lit(WEI).cast(pl.Int128), decimal.Decimal(WEI)),
    "polars Int128 below zero": (of_polars, pl.lit(-(10**37)).cast(pl.Int128), decimal.Decimal(-(10**37))),
    "polars UInt128": (of_polars, pl.lit(WEI).cast(pl.UInt128), decimal.Decimal(WEI)),
    "polars lazy null": (of_lazy, pl.lit(None), None),
    "polars lazy Int128": (of_lazy, pl.lit(WEI).cast(pl.Int128), decimal.Decimal(WEI)),
    "polars categories": (of_polars, pl.lit("a").cast(pl.Categorical), "a"),
    "polars enum": (of_polars, pl.lit("a").cast(pl.Enum(["a"])), "a"),
    "polars struct": (of_polars, pl.struct(x=pl.lit(1), y=pl.lit("a")), {"x": 1, "y": "a"}),
    "polars decimal": (of_polars, pl.lit("1.5").cast(pl.Decimal(10, 2)), decimal.Decimal("1.50")),
    "polars time": (of_polars, pl.lit(datetime.time(1)), datetime.time(1)),
    "pandas wei": (of_pandas, [WEI] * 50, decimal.Decimal(WEI)),
    "pandas wei and none": (of_pandas, [-WEI, None] + [float("nan")] * 48, decimal.Decimal(-WEI)),
    "pandas categories": (of_pandas, pd.Series(["a"] * 50, dtype="category"), "a"),
    "pandas intervals": (of_pandas, pd.Series(pd.interval_range(0, 50)), {"left": 0, "right": 1}),
    "dict wei": (of_dict, [WEI] * 50, decimal.Decimal(WEI)),
    "dict nulls": (of_dict, [None] * 50, None),
}
# What Arrow cannot hold, and the words for it.
LEFT_OUT: dict[str, tuple[Make, Any, str]] = {
    "polars Int128 of 39 digits": (of_polars, pl.lit(10**38).cast(pl.Int128), "more than 38 digits"),
    "polars UInt128 of 39 digits": (of_polars, pl.lit(2**127 - 1).cast(pl.UInt128) * 2 + 1, "more than 38 digits"),
    "polars lists of Int128": (of_polars, pl.lit([1], dtype=pl.List(pl.Int128)), "_pli128"),
    "polars objects": (of_polars, pl.Series([object()] * 50, dtype=pl.Object), "objects of Python"),
    "polars lazy lists of Int128": (of_lazy, pl.lit([1], dtype=pl.List(pl.Int128)), "_pli128"),
    "pandas 256 bits": (of_pandas, [2**256 - 1] * 50, "more than 38 digits"),
    "pandas mixed": (of_pandas, [1, "a"] * 25, "Could not convert"),
    "pandas wei and text": (of_pandas, [WEI, "a"] * 25, "among other values"),
    "pandas objects": (of_pandas, [object()] * 50, "Could not convert"),
    "pandas sets": (of_pandas, [{1}, 2] * 25, "cannot mix"),
    "pandas complex": (of_pandas, np.ones(50) * 1j, "numpy"),
    "dict 256 bits": (of_dict, [2**256 - 1] * 50, "row 0: an integer of more than 38 digits"),
    "dict mixed": (of_dict, [1, "a"] * 25, "row 1: .*str"),
    "dict objects": (of_dict, np.array([object()] * 50), "a column is needed"),
}


def rows(signed: dict[str, Any]) -> dict[str, Any]:
    return {name: signed[name] for name in ROLES}


@pytest.mark.parametrize(("make", "note", "first"), HANDED_ON.values(), ids=HANDED_ON)
@pytest.mark.filterwarnings("error")
def test_what_is_handed_on(signed: dict[str, Any], make: Make, note: Any, first: Any) -> None:
    table = make(rows(signed), note)
    for output in ("all", ["note"]):
        found = phalanx.verify(table, output=output)
        assert found.reasons() == ["valid"] * 50
        assert pa.table(found)["note"].to_pylist()[0] == first
        assert pl.DataFrame(found).height == 50
    assert phalanx.verify(table, output="id").column_names == ["id", "valid", "reason", "column"]


@pytest.mark.parametrize(("make", "note", "why"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_is_left_out(signed: dict[str, Any], make: Make, note: Any, why: str) -> None:
    table = make(rows(signed), note)
    with pytest.warns(UserWarning, match=f"^column `note`: .*{why}.*; the result leaves this column out$"):
        found = phalanx.verify(table)
    assert found.reasons() == ["valid"] * 50
    assert found.column_names == [*ROLES, "valid", "reason", "column"]
    assert pa.table(found)["id"].to_pylist() == signed["id"]


@pytest.mark.parametrize(("make", "note", "why"), LEFT_OUT.values(), ids=LEFT_OUT)
@pytest.mark.filterwarnings("error")
def test_what_is_asked_for_and_cannot_be(signed: dict[str, Any], make: Make, note: Any, why: str) -> None:
    table = make(rows(signed), note)
    # Asked for by its name, in a role, and not at all.
    cases: list[dict[str, Any]] = [{"output": ["note"]}]
    cases += [{"output": "id", "columns": {role: "note"}} for role in ("v", "id")]
    for options in cases:
        with pytest.raises((TypeError, ValueError), match=f"column `note`: .*{why}"):
            phalanx.verify(table, **options)
    assert phalanx.verify(table, output="id").reasons() == ["valid"] * 50
    assert phalanx.verify(table, output=["sig"]).column_names == ["id", "sig", "valid", "reason", "column"]
    with pytest.raises(ValueError, match="no column `nowhere` to keep; columns are: id, msg_hash, pubkey, sig, note"):
        phalanx.verify(table, output=["nowhere"])


CASES = HANDED_ON | LEFT_OUT


@pytest.mark.parametrize(("make", "note"), [case[:2] for case in CASES.values()], ids=CASES)
@pytest.mark.filterwarnings("error")
def test_every_call(signed: dict[str, Any], make: Make, note: Any) -> None:
    """The note is not read: no call but those with output="all" may warn of it."""
    table = make(rows(signed), note)
    secrets = [phalanx.SecretKey.from_bytes(bytes([n] * 32)) for n in range(1, 51)]
    made = phalanx.sign(signed["msg_hash"], secrets, recoverable=True).to_list()
    recoverable = make({"msg_hash": signed["msg_hash"], "sig": made}, note)
    assert phalanx.verify_batch(table, output="id").reasons() == ["valid"] * 50
    assert phalanx.recover(recoverable, output="id").reasons() == ["valid"] * 50
    for iterated, call in ((table, phalanx.iter_verify), (recoverable, phalanx.iter_recover)):
        assert [part.exit_status for part in call([iterated], output="id")] == [0]
    scalars = [bytes([n] * 32) for n in range(1, 51)]
    terms = {"scalar": scalars, "point": signed["pubkey"]}
    assert phalanx.sum_of_products(make(terms, note)) == phalanx.sum_of_products(terms)
    index, matches = payments.index(50)
    # A list of lists is refused.
    outputs = {"outputs": pa.array(index["outputs"], pa.list_(pa.binary(32)))} if make is of_dict else {}
    found = phalanx.scan(make({**index, **outputs}, note), [payments.scanner()])
    assert len(found) == len(matches) > 0 and "note" not in found.column_names


@pytest.mark.parametrize("name", ["txid", "height"])
def test_scans_hand_on_two_columns(name: str) -> None:
    index, _ = payments.index(50)
    scanner = payments.scanner()
    frame = pd.DataFrame(index)
    frame[name] = pd.Series([1, "a"] * 25, dtype=object)
    with pytest.raises(ValueError, match=f"column `{name}`: Could not convert"):
        phalanx.scan(frame, [scanner])
    with pytest.raises(ValueError, match="no column `tweak_key`"):
        phalanx.scan(frame.drop(columns="tweak_key"), [scanner])
    frame[name] = pd.Series([WEI] * 50, dtype=object)
    assert set(pa.table(phalanx.scan(frame, [scanner]))[name].to_pylist()) == {decimal.Decimal(WEI)}


def test_indexes_of_pandas(signed: dict[str, Any]) -> None:
    """An index is a column of Arrow's table, also if its neighbours must be converted apart."""
    frame = pd.DataFrame(rows(signed)).set_index("id")
    for note in (1, pd.Series([1, "a"] * 25, dtype=object, index=frame.index)):
        noted = frame.assign(note=note)
        found = phalanx.verify(noted, output="id")
        assert pa.table(found)["id"].to_pylist() == signed["id"] and all(found.valid())
    with pytest.warns(UserWarning, match="column `note`"):
        assert phalanx.verify(noted).column_names == ["msg_hash", "pubkey", "sig", "id", "valid", "reason", "column"]
    # One that plays no role and that Arrow cannot hold, and levels without names.
    unnamed = pd.DataFrame(rows(signed)).set_index(pd.MultiIndex.from_arrays([range(50), [1, "a"] * 25]))
    assert phalanx.verify(unnamed, output="id").reasons() == ["valid"] * 50
    with pytest.warns(UserWarning, match="column `__index_level_1__`"):
        assert "__index_level_0__" in phalanx.verify(unnamed).column_names
    # Names that are not text.
    numbered = pd.DataFrame(rows(signed)).assign(seven=[1, "a"] * 25).rename(columns={"seven": 7})
    assert phalanx.verify(numbered, output="id").exit_status == 0


def test_two_columns_of_one_name(signed: dict[str, Any]) -> None:
    """pyarrow refuses them, and so does the call if they are asked for."""
    frame = pd.DataFrame(rows(signed)).assign(a=1, b=2).rename(columns={"b": "a"})
    assert phalanx.verify(frame, output="id").reasons() == ["valid"] * 50
    with pytest.raises(ValueError, match="Duplicate column names"):
        phalanx.verify(frame)
    with pytest.raises(ValueError, match="column `sig` is there twice"):
        phalanx.verify(frame.rename(columns={"a": "sig"}), output="id")


ARROW: dict[str, Any] = {
    "null": pa.nulls(50),
    "dictionary": pa.array(["a", "b"] * 25).dictionary_encode(),
    "struct": pa.array([{"x": 1, "y": [None]}] * 50),
    "list of structs": pa.array([[{"x": 1}]] * 50),
    "list view": pa.array([["a"]] * 50, pa.list_view(pa.string())),
    "large list view": pa.array([["a"]] * 50, pa.large_list_view(pa.string())),
    "map": pa.array([[(1, "a")]] * 50, pa.map_(pa.int8(), pa.string())),
    "time zone": pa.array([0] * 50, pa.timestamp("ns", "Europe/Zurich")),
    "unknown time zone": pa.array([0] * 50, pa.timestamp("s", "Mars/Olympus")),
    "months": pa.array([(1, 2, 3)] * 50, pa.month_day_nano_interval()),
    "half float": pa.array(np.ones(50, np.float16)),
    "decimal of 256 bits": pa.array([decimal.Decimal(10**60)] * 50, pa.decimal256(76)),
    "decimal of 32 bits": pa.array([decimal.Decimal(1)] * 50, pa.decimal32(5)),
    "run ends": pa.RunEndEncodedArray.from_arrays(pa.array([50], pa.int32()), ["a"]),
    "sparse union": pa.UnionArray.from_sparse(pa.array([0] * 50, pa.int8()), [pa.array([1] * 50)]),
    "dense union": pa.UnionArray.from_dense(
        pa.array([0] * 50, pa.int8()), pa.array(range(50), pa.int32()), [pa.array([1] * 50)]
    ),
    "uuid": pa.array([b"u" * 16] * 50, pa.uuid()),
    "fixed shape": pa.FixedShapeTensorArray.from_numpy_ndarray(np.ones((50, 2, 2))),
    "opaque": pa.ExtensionArray.from_storage(pa.opaque(pa.binary(), "thing", "somebody"), pa.array([b"x"] * 50)),
    "json": pa.array(["{}"] * 50, pa.json_()),
}


@pytest.mark.parametrize("note", ARROW.values(), ids=ARROW)
@pytest.mark.filterwarnings("error")
def test_every_type_of_arrow(signed: dict[str, Any], note: Any) -> None:
    table = pa.table({**rows(signed), "note": note})
    for given in (table, pa.concat_tables([table.slice(0, 7), table.slice(7)]), table.to_batches()[0]):
        found = pa.table(phalanx.verify(given))
        assert found["note"].type == note.type and found["note"].combine_chunks().equals(note)
        assert phalanx.verify(given, output="id").reasons() == ["valid"] * 50
    # A part, whose columns begin within their arrays.
    batch = table.to_batches()[0].to_struct_array().slice(20)
    assert pa.table(phalanx.verify(pa.chunked_array([batch])))["note"].combine_chunks().equals(note.slice(20))
    # `id` is asked for by name and is no input of the job, so lists and structs are handed on too.
    named = phalanx.verify(table.rename_columns(["a", *ROLES[1:], "id"]), output="id")
    assert pa.table(named)["id"].combine_chunks().equals(note)


def test_duckdb(signed: dict[str, Any]) -> None:
    duckdb = pytest.importorskip("duckdb")
    table = pa.table(rows(signed))
    connection = duckdb.connect()
    connection.register("signatures", table)
    for note in ("NULL", "[NULL]", "1::HUGEINT", "'101'::BIT", "uuid()", "{'a': 1}", "MAP {1: 2}", "INTERVAL 1 DAY",
                 "union_value(k := 1)", "'a'::ENUM('a')", "TIMETZ '12:00:00+01'", "1::BIGNUM", "1::VARIANT"):
        for output in ("all", "id", ["note"]):
            query = f"select *, {note} as note from signatures"
            assert phalanx.verify(connection.sql(query), output=output).reasons() == ["valid"] * 50, note


def test_metadata_of_a_column_that_is_not_text(signed: dict[str, Any]) -> None:
    note = pa.field("note", pa.int64(), metadata={"what": b"\xff"})
    fields = [*(pa.field(name, pa.binary()) for name in ROLES[1:]), note]
    table = pa.table([*(signed[name] for name in ROLES[1:]), [1] * 50], schema=pa.schema(fields))
    with pytest.warns(UserWarning, match="column `note`"):
        assert phalanx.verify(table).reasons() == ["valid"] * 50
    with pytest.raises(ValueError, match="column `note`"):
        phalanx.verify(table, output=["note"])


def test_files_are_read_by_column(tmp_path: Path, signed: dict[str, Any]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pa.table({**rows(signed), "a.b": [1] * 50, "note": [{"x": 1}] * 50})
    parquet.write_table(table, tmp_path / "rows")
    for name in ("note", "a.b"):
        found = phalanx.verify(tmp_path / "rows", output=[name])
        assert found.column_names == ["id", name, "valid", "reason", "column"]
    # Damage in another column does not matter.
    whole = bytearray((tmp_path / "rows").read_bytes())
    column = parquet.read_metadata(tmp_path / "rows").row_group(0).column(5)
    start = column.dictionary_page_offset or column.data_page_offset
    whole[start:start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    (tmp_path / "rows").write_bytes(whole)
    assert phalanx.verify(tmp_path / "rows", output="id").reasons() == ["valid"] * 50
    with pytest.raises(OSError):
        phalanx.verify(tmp_path / "rows")


def test_released_columns_are_not_kept(signed: dict[str, Any]) -> None:
    """Memory of columns that are not asked for goes when their owner goes."""
    note = pa.array(["x" * 1_000_000] * 50)
    found = phalanx.verify(pa.table({**rows(signed), "note": note}), output="id")
    before = pa.total_allocated_bytes()
    del note
    assert pa.total_allocated_bytes() <= before - 49_000_000 and len(found) == 50


def test_big_integers_that_play_a_role(signed: dict[str, Any]) -> None:
    """Recovery ids of 128 bits are read, and a number that is not a recovery id makes its row invalid."""
    secrets = [phalanx.SecretKey.from_bytes(bytes([n] * 32)) for n in range(1, 51)]
    made = phalanx.sign(signed["msg_hash"], secrets, recoverable=True).to_list()
    columns = {"msg_hash": signed["msg_hash"], "sig": signed["sig"]}
    ids = [sig[64] for sig in made if sig]
    for v in (pl.Series("v", ids, pl.Int128), pl.Series("v", ids, pl.UInt128)):
        assert phalanx.recover(pl.DataFrame(columns).with_columns(v)).reasons() == ["valid"] * 50
    found = phalanx.recover({**columns, "v": [*ids[:49], -WEI]}).reasons()
    assert found[:49] == ["valid"] * 49 and found[49] != "valid"
    nulls = pl.DataFrame(columns).with_columns(v=pl.lit(None))
    assert phalanx.recover(nulls).reasons() == ["malformed_row"] * 50


def test_pandas_without_pyarrow(tmp_path: Path) -> None:
    """pandas without pyarrow says what it lacks."""
    program = "import sys; sys.modules['pyarrow'] = None; import pandas, phalanx; " \
        "phalanx.verify(pandas.DataFrame({'msg_hash': [b'x'], 'pubkey': [b'x'], 'sig': [b'x']}))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ended.returncode == 1 and "pyarrow" in ended.stderr.splitlines()[-1], ended.stderr
