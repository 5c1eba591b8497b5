"""Places of recovery ids, and descriptions of values that cannot be read: the same as the command's."""

from __future__ import annotations

import base64
import warnings
from typing import Any

import pytest

import phalanx

SECRET = phalanx.SecretKey.from_bytes(bytes([7] * 32))
KEY = SECRET.public_key().to_bytes()


def made(rows: range) -> list[tuple[bytes, bytes, int]]:
    """Digests, signatures and recovery ids."""
    digests = [row.to_bytes(32, "big") for row in rows]
    signed = [SECRET.sign_recoverable(digest) for digest in digests]
    return [(digest, signature.to_compact(), id_) for digest, (signature, id_) in zip(digests, signed)]


def keys(table: phalanx.Table) -> list[bytes | None]:
    pa = pytest.importorskip("pyarrow")
    found: list[bytes | None] = pa.table(table)["public_key"].to_pylist()
    return found


def test_headers_in_front_are_read_if_asked_for() -> None:
    rows = made(range(1, 401))
    table = {"msg_hash": [row[0] for row in rows], "sig": [bytes([31 + row[2]]) + row[1] for row in rows]}
    assert keys(phalanx.recover(table, v="header")) == [KEY] * 400
    # A row in 32 ends with what may be an id: its key would be wrong.
    with pytest.raises(ValueError, match='v="header"'):
        phalanx.recover(table)
    with pytest.raises(ValueError, match='v="header"'):
        list(phalanx.iter_recover([table]))
    signed = {**table, "pubkey": [KEY] * 400}
    assert all(phalanx.verify(signed, v="header").valid())
    with pytest.warns(UserWarning, match='v="header"'):
        found = phalanx.verify(signed)
    assert not any(found.valid()) and "header" in (found.hint or "")
    assert found.notes[0].startswith("out_of_range: sig: the last byte")


def test_a_row_that_can_be_read_both_ways_is_a_warning() -> None:
    found = next(row for row in made(range(1, 4000)) if row[1][63] in (0, 1, 2, 3) and row[2] == 1)
    table = {"msg_hash": [found[0]], "sig": [bytes([32]) + found[1]]}
    expected = {**table, "pubkey": [KEY]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert phalanx.recover(expected).valid() == [False]
        assert phalanx.recover(table, v="last").hint is None
        assert keys(phalanx.recover(table, v="header")) == [KEY]
    if phalanx.recover(table, v="last").valid() == [True]:
        with pytest.warns(UserWarning, match="can be read both"):
            phalanx.recover(table)


def test_ids_at_the_end_and_in_s() -> None:
    rows = made(range(1, 101))
    digests = [row[0] for row in rows]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for offset in (0, 27):
            ids = {"msg_hash": digests, "sig": [row[1] + bytes([offset + row[2]]) for row in rows]}
            assert keys(phalanx.recover(ids)) == [KEY] * 100
        eip155 = {"msg_hash": digests, "sig": [row[1] + bytes([37 + row[2]]) for row in rows]}
        assert keys(phalanx.recover(eip155, v="eip155")) == [KEY] * 100
    with pytest.warns(UserWarning, match='v="eip155"'):
        assert phalanx.recover(eip155).counts["out_of_range"] == 100
    short = [row[1][:32] + bytes([row[1][32] | row[2] << 7]) + row[1][33:] for row in rows]
    assert keys(phalanx.recover({"msg_hash": digests, "sig": short}, v="eip2098")) == [KEY] * 100
    with pytest.raises(ValueError, match='v="eip2098"'):
        phalanx.recover({"msg_hash": digests, "sig": short})
    wrong: Any = "front"
    with pytest.raises(ValueError, match="v: "):
        phalanx.recover(ids, v=wrong)


def test_text_in_other_forms(signed: dict[str, Any]) -> None:
    def table(write: Any) -> dict[str, Any]:
        names = {"messageHash": "msg_hash", "publicKey": "pubkey", "signature": "sig"}
        return {name: [write(value) for value in signed[column]] for name, column in names.items()}

    forms = [
        lambda value: "0X" + value.hex().upper(),
        lambda value: "\\x" + value.hex(),
        lambda value: value.hex(":"),
        lambda value: base64.b64encode(value).decode(),
        str,
    ]
    for form in forms:
        assert all(phalanx.verify(table(form)).valid())


def test_the_first_bad_rows_are_described(signed: dict[str, Any]) -> None:
    digests = [digest[:31] if row % 2 else digest for row, digest in enumerate(signed["msg_hash"])]
    found = phalanx.verify({**signed, "msg_hash": digests})
    assert list(found.notes) == list(range(1, 20, 2))
    assert found.notes[1].startswith("malformed_row: msg_hash: wrong length: 31 bytes, expected 32")
    assert phalanx.verify(signed).notes == {}
    with pytest.raises(phalanx.PhalanxError, match="scalar: wrong length: 3 bytes, expected 32$"):
        phalanx.sum_of_products({"scalar": [b"abc"], "point": [KEY]})
