"""The same verdicts for the same rows, whatever holds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import phalanx

pa = pytest.importorskip("pyarrow")
np = pytest.importorskip("numpy")

EXPECTED = ["valid"] * 49 + ["invalid_signature"]


@pytest.fixture
def rows(signed: dict[str, Any]) -> dict[str, Any]:
    """Fifty rows, of which the last is not valid."""
    return {**signed, "sig": signed["sig"][:49] + [signed["sig"][0]]}


def table(rows: dict[str, Any], kind: Any) -> Any:
    schema = [("id", pa.string()), ("msg_hash", kind(32)), ("pubkey", kind(33)), ("sig", kind(64))]
    return pa.table(rows, schema=pa.schema(schema))


KINDS = {
    "fixed": lambda width: pa.binary(width),
    "binary": lambda width: pa.binary(),
    "large": lambda width: pa.large_binary(),
    "view": lambda width: pa.binary_view(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_binary_columns_of_every_layout(rows: dict[str, Any], kind: str) -> None:
    given = table(rows, KINDS[kind])
    found = phalanx.verify(given)
    assert found.reasons() == EXPECTED
    handed_on = pa.table(found)
    assert handed_on.column_names == ["id", "msg_hash", "pubkey", "sig", "valid", "reason", "column"]
    assert handed_on.select(given.column_names).equals(given)
    # A part of a table, which begins in the middle of its buffers and of a byte of its nulls.
    assert phalanx.verify(given.slice(43, 7)).reasons() == EXPECTED[43:]


@pytest.mark.parametrize("kind", KINDS)
def test_columns_are_not_copied(rows: dict[str, Any], kind: str) -> None:
    given = table(rows, KINDS[kind])
    handed_on = pa.table(phalanx.verify(given))
    for name in ("msg_hash", "sig") if kind == "view" else given.column_names:
        before = [buffer.address for buffer in given[name].chunk(0).buffers() if buffer]
        after = [buffer.address for buffer in handed_on[name].chunk(0).buffers() if buffer]
        assert before == after


@pytest.mark.parametrize("text", [pa.string(), pa.large_string(), pa.string_view()])
@pytest.mark.parametrize("prefix", ["", "0x"])
def test_text_is_hex(rows: dict[str, Any], text: Any, prefix: str) -> None:
    names = ("msg_hash", "pubkey", "sig")
    columns = {name: pa.array([prefix + value.hex() for value in rows[name]], text) for name in names}
    assert phalanx.verify(pa.table(columns)).reasons() == EXPECTED


LISTS = {
    "fixed": lambda width: pa.list_(pa.uint8(), width),
    "list": lambda width: pa.list_(pa.uint8()),
    "large": lambda width: pa.large_list(pa.uint8()),
}


@pytest.mark.parametrize("kind", LISTS)
def test_lists_of_unsigned_bytes_are_bytes(rows: dict[str, Any], kind: str) -> None:
    listed = {"id": rows["id"], **{name: list(map(list, rows[name])) for name in ("msg_hash", "pubkey", "sig")}}
    given = table(listed, LISTS[kind])
    found = phalanx.verify(given)
    assert found.reasons() == EXPECTED
    # They are handed on as they came, and not copied.
    assert pa.table(found).select(given.column_names).equals(given)
    assert phalanx.verify(given.slice(43, 7)).reasons() == EXPECTED[43:]
    assert phalanx.verify({**{name: given[name] for name in listed}}).reasons() == EXPECTED
    encoded = given.set_column(1, "msg_hash", given["msg_hash"].combine_chunks().cast(pa.list_(pa.uint8())))
    assert phalanx.verify(encoded.to_batches(20)[1]).reasons() == EXPECTED[20:40]
    # A list that holds a null, and one that is null itself, are no values; one of another length has its verdict.
    sig, wrong = listed["sig"], "malformed_row" if kind == "fixed" else "bad_signature_encoding"
    nulls = pa.array([[None, *sig[0][1:]], None, *sig[2:49], None if kind == "fixed" else sig[49][1:]], LISTS[kind](64))
    found = phalanx.verify(given.set_column(3, "sig", nulls))
    assert found.reasons() == ["malformed_row"] * 2 + ["valid"] * 47 + [wrong]
    assert pa.table(found)["column"].to_pylist()[:3] == ["sig", "sig", None]
    # Columns by themselves.
    secrets = [phalanx.SecretKey.from_bytes(bytes([n] * 32)) for n in range(1, 51)]
    assert phalanx.sign(given["msg_hash"], secrets).to_list()[:49] == rows["sig"][:49]
    assert phalanx.public_keys(given["msg_hash"][1:]).to_list() == phalanx.public_keys(rows["msg_hash"][1:]).to_list()


def test_lists_of_polars(rows: dict[str, Any]) -> None:
    pl = pytest.importorskip("polars")
    for kind in (pl.Array(pl.UInt8, 32), pl.List(pl.UInt8)):
        digests = pl.Series("msg_hash", list(map(list, rows["msg_hash"])), dtype=kind)
        assert phalanx.verify(pl.DataFrame(rows).with_columns(digests)).reasons() == EXPECTED


def test_dictionaries(rows: dict[str, Any]) -> None:
    given = table({**rows, "id": [None, *rows["id"][1:]]}, KINDS["binary"])
    schemes = pa.array(["ecdsa"] * 49 + [None]).dictionary_encode()
    encoded = pa.table({**{name: given[name].combine_chunks().dictionary_encode() for name in given.column_names},
                        "scheme": schemes})
    assert phalanx.verify(encoded).reasons() == ["valid"] * 49 + ["malformed_row"]
    assert pa.table(phalanx.verify(encoded.slice(20))).select(encoded.column_names).equals(encoded.slice(20))
    assert phalanx.verify(encoded.drop_columns("scheme").slice(20)).reasons() == EXPECTED[20:]


def test_chunked_tables(rows: dict[str, Any]) -> None:
    whole = table(rows, KINDS["binary"])
    chunked = pa.concat_tables([whole.slice(0, 1), whole.slice(1, 0), whole.slice(1, 30), whole.slice(31)])
    found = phalanx.verify(chunked)
    assert found.reasons() == EXPECTED
    assert [len(chunk) for chunk in pa.table(found)["valid"].chunks] == [len(chunk) for chunk in chunked["sig"].chunks]
    # Columns that are cut at different places.
    columns = {
        "msg_hash": pa.chunked_array([rows["msg_hash"][:7], rows["msg_hash"][7:]]),
        "pubkey": pa.chunked_array([rows["pubkey"][:20], [], rows["pubkey"][20:]]),
        "sig": rows["sig"],
    }
    assert phalanx.verify(columns).reasons() == EXPECTED


def test_the_first_rows_of_a_recovery(signed: dict[str, Any]) -> None:
    """Only rows can tell that recovery ids are nowhere: a table of none does not."""
    without = pa.table({"msg_hash": signed["msg_hash"], "sig": signed["sig"]})
    for before in ([], [without.slice(0, 0)], [without.slice(0, 0)] * 2):
        with pytest.raises(ValueError, match="the signature of the first row has none"):
            list(phalanx.iter_recover([*before, without]))
    made = [phalanx.SecretKey.from_bytes(bytes([7] * 32)).sign_recoverable(digest) for digest in signed["msg_hash"]]
    ids = {"msg_hash": signed["msg_hash"], "sig": [sig.to_compact() + bytes([number]) for sig, number in made]}
    assert [found.valid() for found in phalanx.iter_recover([ids, without])] == [[True] * 50, [False] * 50]


def test_batches_and_streams(rows: dict[str, Any]) -> None:
    whole = table(rows, KINDS["fixed"])
    (batch,) = whole.to_batches()
    assert phalanx.verify(batch).reasons() == EXPECTED
    assert phalanx.verify(pa.RecordBatchReader.from_batches(whole.schema, [batch, batch])).reasons() == EXPECTED * 2
    assert [found.reasons() for found in phalanx.iter_verify(whole.to_batches(20))] == [
        EXPECTED[:20],
        EXPECTED[20:40],
        EXPECTED[40:],
    ]


def test_numpy(rows: dict[str, Any]) -> None:
    def array(name: str) -> Any:
        return np.frombuffer(b"".join(rows[name]), np.uint8).reshape(50, -1)

    columns = {name: array(name) for name in ("msg_hash", "pubkey", "sig")}
    assert phalanx.verify(columns).reasons() == EXPECTED
    # Parts of wider rows, every other row, rows from the last to the first: copied, as all arrays are.
    records = np.concatenate([columns["msg_hash"], columns["pubkey"], columns["sig"]], axis=1)
    parts = {"msg_hash": records[:, :32], "pubkey": records[:, 32:65], "sig": records[:, 65:]}
    assert not parts["pubkey"].flags.c_contiguous
    assert phalanx.verify(parts).reasons() == EXPECTED
    assert phalanx.verify({name: part[::2] for name, part in parts.items()}).reasons() == EXPECTED[::2]
    assert phalanx.verify({name: part[::-1] for name, part in parts.items()}).reasons() == EXPECTED[::-1]
    fortran = {name: np.asfortranarray(part) for name, part in parts.items()}
    assert phalanx.verify(fortran).reasons() == EXPECTED


@pytest.mark.parametrize("kind", ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"])
def test_recovery_ids_of_numpy(signed: dict[str, Any], kind: str) -> None:
    secret = phalanx.SecretKey.from_bytes(bytes([7] * 32))
    made = [secret.sign_recoverable(digest) for digest in signed["msg_hash"]]
    columns = {
        "msg_hash": [bytes([n] * 32) for n in range(50)],
        "sig": [signature.to_compact() for signature, _ in made],
        "v": np.array([recovery_id for _, recovery_id in made], kind),
    }
    found = phalanx.recover(columns)
    assert all(found.valid())
    assert set(pa.table(found)["public_key"].to_pylist()) == {secret.public_key().to_bytes()}
    assert set(pa.table(found)["address"].to_pylist()) == {secret.public_key().address()}


def test_polars(rows: dict[str, Any]) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(rows)
    found = phalanx.verify(frame)
    assert found.reasons() == EXPECTED
    handed_on = pl.DataFrame(found)
    assert handed_on.columns == [*frame.columns, "valid", "reason", "column"]
    assert handed_on.select(frame.columns).equals(frame)
    # The recipe of docs/use/python.md: a step of a lazy query.
    lazy = frame.lazy()
    schema = {**lazy.collect_schema(), "valid": pl.Boolean, "reason": pl.String, "column": pl.String}
    invalid = lazy.map_batches(lambda batch: pl.DataFrame(phalanx.verify(batch)), schema=schema).filter(~pl.col("valid"))
    assert invalid.select("id", "reason").collect().rows() == [("row 49", "invalid_signature")]
    # Columns by themselves.
    assert phalanx.verify({name: frame[name] for name in ("msg_hash", "pubkey", "sig")}).reasons() == EXPECTED


def test_pandas(rows: dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas")
    # Objects in a frame are copied by pandas, by way of Arrow.
    frame = pd.DataFrame(rows)
    found = phalanx.verify(frame)
    assert found.reasons() == EXPECTED
    typed = pd.DataFrame({name: pd.Series(values, dtype=pd.ArrowDtype(pa.binary() if name != "id" else pa.string()))
                          for name, values in rows.items()})
    found = phalanx.verify(typed, output="id")
    assert found.reasons() == EXPECTED
    back = pa.table(found).to_pandas()
    assert list(back["id"]) == rows["id"] and list(back["valid"]) == [True] * 49 + [False]


def test_columns_of_pandas(rows: dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas")
    names = ("msg_hash", "pubkey", "sig")
    typed = {name: pd.Series(rows[name], dtype=pd.ArrowDtype(pa.binary())) for name in names}
    assert phalanx.verify(typed).reasons() == EXPECTED
    assert phalanx.verify({name: values.array for name, values in typed.items()}).reasons() == EXPECTED
    # Objects go in a list; pandas 3 makes them an Arrow stream itself.
    objects = {name: pd.Series(rows[name], dtype=object) for name in names}
    assert phalanx.verify({name: list(values) for name, values in objects.items()}).reasons() == EXPECTED
    if int(pd.__version__.split(".")[0]) < 3:
        with pytest.raises(TypeError, match="column `msg_hash`.*list"):
            phalanx.verify(objects)
    # Integers, of NumPy and those of pandas that may be missing.
    made = [phalanx.SecretKey.from_bytes(bytes([7] * 32)).sign_recoverable(digest) for digest in rows["msg_hash"]]
    signed = {"msg_hash": rows["msg_hash"], "sig": [signature.to_compact() for signature, _ in made]}
    ids = pd.Series([recovery_id for _, recovery_id in made])
    assert all(phalanx.recover({**signed, "v": ids}).valid())
    missing = ids.astype("Int64")
    missing[3] = pd.NA
    assert phalanx.recover({**signed, "v": missing}).valid() == [row != 3 for row in range(50)]


def test_duckdb(rows: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")
    # The recipe of docs/use/python.md: DuckDB's relations have Arrow's interface themselves.
    pytest.importorskip("pyarrow.parquet").write_table(table(rows, KINDS["binary"]), tmp_path / "signatures.parquet")
    monkeypatch.chdir(tmp_path)
    verdicts = pa.table(phalanx.verify(duckdb.sql("select * from 'signatures.parquet'")))  # noqa: F841 (a query reads it)
    counts = duckdb.sql("select reason, count(*) from verdicts group by reason")
    assert sorted(counts.fetchall()) == [("invalid_signature", 1), ("valid", 49)]
    signatures = table(rows, KINDS["binary"])  # noqa: F841
    found = phalanx.verify(duckdb.sql("select * from signatures order by id").to_arrow_table())
    assert sorted(found.reasons()) == sorted(EXPECTED)


def test_lists(rows: dict[str, Any]) -> None:
    assert phalanx.verify(rows).reasons() == EXPECTED
    mixed = {**rows, "sig": [bytearray(value) for value in rows["sig"]], "pubkey": tuple(rows["pubkey"])}
    assert phalanx.verify(mixed).reasons() == EXPECTED
    objects = {
        **rows,
        "pubkey": [phalanx.PublicKey.from_bytes(value) for value in rows["pubkey"]],
        "sig": [phalanx.Signature.from_compact(value) for value in rows["sig"]],
    }
    assert phalanx.verify(objects).reasons() == EXPECTED
    with_none = {**rows, "sig": [None, *rows["sig"][1:]]}
    found = phalanx.verify(with_none)
    assert found.reasons() == ["malformed_row", *EXPECTED[1:]]
    assert pa.table(found)["column"].to_pylist()[:2] == ["sig", None]


def test_output(rows: dict[str, Any]) -> None:
    given = table(rows, KINDS["fixed"]).append_column("note", pa.array(["n"] * 50))
    names = {"all": [*given.column_names], "id": ["id"], ("note",): ["id", "note"]}
    for output, columns in names.items():
        found = phalanx.verify(given, output=list(output) if isinstance(output, tuple) else output)
        assert found.column_names == [*columns, "valid", "reason", "column"]
    renamed = given.rename_columns(["id", "h", "k", "s", "note"])
    found = phalanx.verify(renamed, columns={"msg_hash": "h", "pubkey": "k", "sig": "s"}, output="id")
    assert found.reasons() == EXPECTED


def test_policies(rows: dict[str, Any]) -> None:
    signature = phalanx.Signature.from_compact(rows["sig"][0])
    order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
    high = phalanx.Signature.from_compact(signature.to_compact()[:32] + (order - signature.s).to_bytes(32, "big"))
    lax = high.to_der() + b"\0"
    hybrid = bytearray(phalanx.PublicKey.from_bytes(rows["pubkey"][0]).to_bytes(compressed=False))
    hybrid[0] = 6 + hybrid[64] % 2
    given = {
        "msg_hash": [rows["msg_hash"][0]] * 3,
        "pubkey": [rows["pubkey"][0], rows["pubkey"][0], bytes(hybrid)],
        "sig": [high.to_der(), lax, high.to_der()],
    }
    assert phalanx.verify(given).reasons() == ["valid", "bad_signature_encoding", "bad_public_key"]
    assert phalanx.verify(given, der="lax").reasons() == ["valid", "valid", "bad_public_key"]
    assert phalanx.verify(given, hybrid_keys=True).reasons() == ["valid", "bad_signature_encoding", "valid"]
    assert phalanx.verify(given, low_s="require").reasons() == ["high_s", "bad_signature_encoding", "bad_public_key"]
    assert phalanx.verify(given).high_s_rows == 2
