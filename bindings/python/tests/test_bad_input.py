"""What is wrong with a call is an exception that says so; what is wrong with a row is its verdict."""

from __future__ import annotations

from typing import Any

import pytest

import phalanx

pa = pytest.importorskip("pyarrow")
np = pytest.importorskip("numpy")


def refused(kind: type[Exception], match: str, table: Any, **options: Any) -> None:
    for call in (phalanx.verify, phalanx.verify_batch):
        with pytest.raises(kind, match=match):
            call(table, **options)


def columns(signed: dict[str, Any], **others: Any) -> dict[str, Any]:
    return {**{name: signed[name] for name in ("msg_hash", "pubkey", "sig")}, **others}


def test_no_table() -> None:
    for thing in (None, 5, b"bytes", [1, 2], object()):
        refused(TypeError, "a table is needed", thing)
    refused(TypeError, "a table is needed, not a column", pa.array([1, 2]))


def test_missing_columns(signed: dict[str, Any]) -> None:
    for name in ("msg_hash", "pubkey", "sig"):
        rest = {other: values for other, values in columns(signed).items() if other != name}
        refused(ValueError, f"no column `{name}`.*columns are", rest)
    refused(ValueError, "no column `nowhere`", columns(signed), columns={"sig": "nowhere"})
    refused(ValueError, "unknown role", columns(signed), columns={"nonsense": "sig"})
    refused(ValueError, "to keep", columns(signed), output=["nowhere"])
    with pytest.raises(ValueError, match="the signature of the first row has none"):
        phalanx.recover(columns(signed))


def test_wrong_options(signed: dict[str, Any]) -> None:
    for option in ("low_s", "der", "output"):
        refused(ValueError, option, columns(signed), **{option: "maybe"})
    for threads in (0, 100_000, -1, 2**70):
        refused(ValueError, "threads", columns(signed), threads=threads)
    for kind in ("2", 2.0):
        refused(TypeError, "threads", columns(signed), threads=kind)
    refused(TypeError, "columns: a mapping", columns(signed), columns="sig")
    refused(ValueError, "backend.*portable", columns(signed), backend="abacus")
    with pytest.raises(ValueError, match="batch"):
        phalanx.verify(columns(signed), batch="maybe")  # type: ignore[arg-type]
    for memory in (-1, 2**70):
        with pytest.raises(ValueError, match="memory"):
            phalanx.FixedBase(signed["pubkey"], memory=memory)
    # At the call, and not when the first table is asked for.
    for call in (phalanx.iter_verify, phalanx.iter_recover):
        with pytest.raises(ValueError, match="low_s"):
            call([], low_s="maybe")  # type: ignore[arg-type]


def test_names_that_the_output_has_too(signed: dict[str, Any]) -> None:
    refused(ValueError, "two columns `valid`", columns(signed, valid=[1] * 50))
    assert all(phalanx.verify(columns(signed, valid=[1] * 50), output="id").valid())


def test_columns_of_different_lengths(signed: dict[str, Any]) -> None:
    refused(ValueError, "`msg_hash` has 50 rows, and column `sig` has 49", columns(signed, sig=signed["sig"][:49]))


def test_lists_of_mixed_kinds(signed: dict[str, Any]) -> None:
    refused(TypeError, "column `sig`: row 49.*int.*among bytes", columns(signed, sig=[*signed["sig"][:49], 7]))
    refused(TypeError, "column `sig`: row 0", columns(signed, sig=[object()] * 50))
    refused(ValueError, "column `sig`: row 0: text.*surrogate", columns(signed, sig=["\udc80"] * 50))
    refused(ValueError, "column `v`: row 1: an integer of more than 38 digits", columns(signed, v=[0, 2**130] * 25))
    refused(TypeError, "bytes are one value", columns(signed, sig=b"".join(signed["sig"])))


ARRAYS = {
    "float64": np.zeros((50, 64), np.float64),
    "int32": np.zeros((50, 64), np.int32),
    "float32": np.zeros(50, np.float32),
    "three dimensions": np.zeros((50, 8, 8), np.uint8),
    "objects": np.array([b"x" * 64] * 50, object),
    "S64": np.array([b"x" * 64] * 50),
    "no dimension": np.zeros((), np.uint8),
    "records": np.zeros(50, [("a", "u1"), ("b", "u4")]),
}


@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
def test_arrays_of_another_type_or_shape(signed: dict[str, Any], array: Any) -> None:
    refused(TypeError, "column `sig`: a column is needed", columns(signed, sig=array))


def test_arrays_with_a_mask(signed: dict[str, Any]) -> None:
    """What is masked is no value, and the memory does not tell: such an array is refused, masked or not."""
    whole = {name: np.frombuffer(b"".join(signed[name]), np.uint8).reshape(50, -1) for name in ("msg_hash", "pubkey", "sig")}
    assert all(phalanx.verify(whole).valid())
    for mask in (True, False):
        refused(TypeError, "column `sig`: an array with a mask", {**whole, "sig": np.ma.masked_array(whole["sig"], mask)})
        ids = np.ma.masked_array(np.zeros(50, np.int64), mask)
        refused(TypeError, "column `v`: an array with a mask", {**whole, "v": ids})
        with pytest.raises(TypeError, match="an array with a mask"):
            phalanx.public_keys(np.ma.masked_array(np.ones((3, 32), np.uint8), mask))
    refused(TypeError, "row 0", {**whole, "v": [np.ma.masked] * 50})
    with pytest.raises(TypeError):
        phalanx.SecretKey.from_bytes(np.ma.masked_array(np.ones(32, np.uint8), True))


def test_arrays_without_bytes(signed: dict[str, Any]) -> None:
    refused(ValueError, "no values", columns(signed, sig=np.zeros((50, 0), np.uint8)))


NO_SIGNATURES = {
    "nulls": (pa.array([None] * 50, pa.binary()), "malformed_row"),
    "null type": (pa.nulls(50), "malformed_row"),
    "float": (pa.array([1.5] * 50), "malformed_row"),
    "boolean": (pa.array([True] * 50), "malformed_row"),
    "no hex": (pa.array(["zz"] * 50), "malformed_row"),
    "empty": (pa.array([b""] * 50), "bad_signature_encoding"),
    "63 bytes": (pa.array([b"x" * 63] * 50), "bad_signature_encoding"),
    "zeros": (pa.array([b"\0" * 64] * 50), "out_of_range"),
}


@pytest.mark.parametrize(("values", "reason"), NO_SIGNATURES.values(), ids=NO_SIGNATURES)
def test_columns_that_hold_no_signatures(signed: dict[str, Any], values: Any, reason: str) -> None:
    found = phalanx.verify(columns(signed, sig=values))
    assert found.reasons() == [reason] * 50
    at_fault = "sig" if reason == "malformed_row" else None
    assert pa.table(found)["column"].to_pylist() == [at_fault] * 50


NO_BYTES = [pa.list_(pa.int64()), pa.list_(pa.int8(), 64), pa.large_list(pa.binary()), pa.list_view(pa.uint8()),
            pa.list_(pa.uint8(), 0)]


@pytest.mark.parametrize("kind", NO_BYTES, ids=str)
def test_lists_that_are_no_bytes(signed: dict[str, Any], kind: Any) -> None:
    """No row of them could be read: that is said once, also of a table without rows."""
    values = pa.nulls(50, kind)
    refused(TypeError, "column `sig`: bytes are needed, and .*List", columns(signed, sig=values))
    empty = pa.table(columns(signed, sig=values)).slice(0, 0)
    refused(TypeError, "column `sig`: bytes are needed", empty)
    with pytest.raises(TypeError, match="bytes are needed"):
        phalanx.sign(values, [bytes([1] * 32)] * 50)
    # What is not read may be any list.
    assert all(phalanx.verify(columns(signed, note=values)).valid())


def test_zero_rows(signed: dict[str, Any]) -> None:
    whole = pa.table(columns(signed))
    for empty in (whole.slice(0, 0), whole.schema.empty_table(), pa.RecordBatchReader.from_batches(whole.schema, [])):
        found = phalanx.verify(empty)
        assert len(found) == 0 and found.exit_status == 0
        assert pa.table(found).schema.names == [*whole.column_names, "valid", "reason", "column"]
    assert len(phalanx.verify({"msg_hash": [], "pubkey": [], "sig": []})) == 0
    assert len(phalanx.sign([], [])) == len(phalanx.public_keys([])) == len(phalanx.ecdh([], [])) == 0
    assert phalanx.sum_of_products({"scalar": [], "point": []}) == bytes(33)


def test_streams_that_have_been_read(signed: dict[str, Any]) -> None:
    whole = pa.table(columns(signed))
    reader = pa.RecordBatchReader.from_batches(whole.schema, whole.to_batches())
    assert all(phalanx.verify(reader).valid())
    # pyarrow says of a stream that has been read that nothing is left.
    assert len(phalanx.verify(reader)) == 0


def test_tables_that_have_been_closed(signed: dict[str, Any]) -> None:
    duckdb = pytest.importorskip("duckdb")
    signatures = pa.table(columns(signed))  # noqa: F841 (the query reads it by its name)
    connection = duckdb.connect()
    relation = connection.sql("select * from signatures")
    connection.close()
    with pytest.raises(duckdb.Error, match="[Cc]losed"):
        phalanx.verify(relation)


def test_streams_that_fail(signed: dict[str, Any]) -> None:
    whole = pa.table(columns(signed))

    def batches() -> Any:
        yield whole.to_batches()[0]
        raise OSError("the disk is gone")

    with pytest.raises(ValueError, match="the disk is gone"):
        phalanx.verify(pa.RecordBatchReader.from_batches(whole.schema, batches()))


def broken(array: Any, buffer: int, values: Any) -> Any:
    """The array with one of its buffers overwritten, as no library makes it: pyarrow checks nothing here."""
    buffers = [buffer_ and bytearray(buffer_.to_pybytes()) for buffer_ in array.buffers()]
    new = np.array(values).tobytes()
    buffers[buffer][: len(new)] = new
    made = [buffer_ and pa.py_buffer(bytes(buffer_)) for buffer_ in buffers]
    if pa.types.is_dictionary(array.type):
        indices = pa.Array.from_buffers(array.type.index_type, len(array), made)
        return pa.DictionaryArray.from_arrays(indices, array.dictionary, safe=False)
    return pa.Array.from_buffers(array.type, len(array), made)


def test_arrays_that_break_the_format(signed: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    """Rows are not read from beside their values, and no row gets the verdict of other bytes."""
    binary, large = pa.array(signed["sig"], pa.binary()), pa.array(signed["sig"], pa.large_binary())
    view = pa.array(signed["sig"], pa.binary_view())
    encoded = binary.dictionary_encode()
    one_view = np.frombuffer(view.buffers()[1].to_pybytes()[:16], np.uint32)
    cases = [
        broken(binary, 1, np.array([0, 6400], np.int32)),
        broken(binary, 1, np.array([0, -64], np.int32)),
        broken(binary, 1, np.array([64, 0], np.int32)),
        broken(large, 1, np.array([0, 1 << 40], np.int64)),
        broken(large, 1, np.array([0, -64], np.int64)),
        broken(view, 1, np.array([64, one_view[1], 7, 0], np.uint32)),
        broken(view, 1, np.array([64, one_view[1], 0, 1 << 30], np.uint32)),
        broken(encoded, 1, np.array([50], np.int32)),
        broken(encoded, 1, np.array([-1], np.int32)),
    ]
    for number, case in enumerate(cases):
        with pytest.raises(ValueError, match="format"):
            phalanx.verify(columns(signed, sig=case))
            pytest.fail(f"case {number} was taken")
        with pytest.raises(ValueError, match="format"):
            phalanx.sign(case, [bytes([1] * 32)] * 50, scheme="schnorr")
    # Columns that are handed on are not read.
    assert all(phalanx.verify(columns(signed, note=cases[0]), output="id").valid())
    assert capfd.readouterr().err == ""


def test_schemas_that_cannot_be_read(signed: dict[str, Any]) -> None:
    whole = pa.table(columns(signed)).replace_schema_metadata({"what": b"\xff"})
    refused(ValueError, "the Arrow schema cannot be read, whose names and metadata must be UTF-8", whole)
    assert all(phalanx.verify(whole.replace_schema_metadata(None)).valid())


def test_rows_that_are_null_themselves(signed: dict[str, Any]) -> None:
    whole = pa.table(columns(signed)).to_batches()[0].to_struct_array()
    nulls = pa.StructArray.from_arrays(whole.flatten(), fields=list(whole.type), mask=pa.array([True] + [False] * 49))
    refused(ValueError, "null", pa.chunked_array([nulls]))


def test_objects_that_only_look_like_arrow() -> None:
    class Wrong:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return "no capsule"

    refused(TypeError, "str.*PyCapsule", Wrong())

    class Raises:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            raise KeyError("closed")

    refused(KeyError, "closed", Raises())

    class Twice:
        def __init__(self, capsule: Any) -> None:
            self.capsule = capsule

        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return self.capsule

    consumed = Twice(pa.table({"msg_hash": [b"x"]}).__arrow_c_stream__())
    with pytest.raises(ValueError, match="no column"):
        phalanx.verify(consumed)
    refused(ValueError, "released", consumed)


def test_secrets_that_are_none() -> None:
    good = bytes([1] * 32)
    for bad in (bytes(32), bytes([255] * 32), b"", bytes(31), bytes(33)):
        with pytest.raises(ValueError, match="row 1: .*secret key"):
            phalanx.public_keys([good, bad])
        with pytest.raises(ValueError, match="row 1"):
            phalanx.sign([good, good], [good, bad])
    with pytest.raises(TypeError, match="row 1: neither a SecretKey nor bytes"):
        phalanx.public_keys([good, "text"])
    with pytest.raises(ValueError, match="row 0"):
        phalanx.public_keys(np.zeros((3, 32), np.uint8))
    signings: list[tuple[list[Any], list[Any], str]] = [
        ([good, good], [good], "2 digests, and 1 secret keys"),
        ([good, bytes(31)], [good, good], "row 1: a digest of 31 bytes"),
        ([None, good], [good, good], "row 0: no digest"),
    ]
    for digests, keys, fault in signings:
        with pytest.raises(ValueError, match=fault):
            phalanx.sign(digests, keys)
    with pytest.raises(ValueError, match="scheme"):
        phalanx.sign([good], [good], scheme="rsa")  # type: ignore[arg-type]
    wrong: list[tuple[str, list[Any], str]] = [
        ("rsa", [], "none of phalanx.operations"),
        ("verify_ecdsa", [[good]] * 3, "none of phalanx.operations"),
        ("public_keys", [], "takes 1 columns, and 0 are given"),
        ("public_keys", [None], "a column is needed"),
        ("tweak_add_public", [[bytes(33)], [good, good]], "2 tweaks, and 1 public keys"),
        ("tweak_add_public", [[bytes(33)], [bytes(31)]], "row 0: a tweak of 31 bytes, not 32 bytes"),
        ("derive_children", [[bytes(33)], [good], [bytes(3)]], "row 0: an index of 3 bytes, not 4 bytes"),
    ]
    for name, columns, fault in wrong:
        with pytest.raises(ValueError, match=fault):
            phalanx.compute(name, *columns)


def test_points_that_are_none() -> None:
    key = phalanx.SecretKey.from_bytes(bytes([1] * 32)).public_key().to_bytes()
    for bad in (b"", bytes(33), b"\x05" + key[1:], bytes(31)):
        shared = phalanx.ecdh([key, bad], [bytes([1] * 32)] * 2)
        assert shared.null_count == 1 and shared[1] is None and len(shared[0] or b"") == 32
        assert pa.array(shared).to_pylist()[1] is None
        with pytest.raises(BufferError, match="null"):
            memoryview(shared)
        with pytest.raises(ValueError, match="some rows are null"):
            np.asarray(shared)
        if bad != bytes(33):
            with pytest.raises(phalanx.PhalanxError, match="row 1: bad_public_key: point"):
                phalanx.sum_of_products({"scalar": [bytes([1] * 32)] * 2, "point": [key, bad]})
    with pytest.raises(phalanx.PhalanxError, match="row 0: out_of_range: scalar"):
        phalanx.sum_of_products({"scalar": [bytes([255] * 32)], "point": [key]})
    with pytest.raises(ValueError, match="no column `scalar`"):
        phalanx.sum_of_products({"point": [key]})
    with pytest.raises(phalanx.PhalanxError, match="row 0"):
        phalanx.FixedBase([b"x"])
    with pytest.raises(ValueError, match="differ in length"):
        phalanx.FixedBase([key]).sum([bytes([1] * 32)] * 2)
    base = phalanx.FixedBase([key])
    for call in (base.sum, base.sums, base.commit):
        with pytest.raises(phalanx.PhalanxError, match="row 1: 31 bytes, and .*scalar has 32"):
            call([bytes(32), bytes(31)])
        with pytest.raises(phalanx.PhalanxError, match="row 0: a scalar is not below the group order"):
            call([bytes([255] * 32)])
