"""Addresses behind signatures of signing hashes: real ones, and null where there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import phalanx

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
np = pytest.importorskip("numpy")

BACKENDS = phalanx.backends()
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141


def read(path: Path) -> tuple[list[bytes], list[bytes], list[int], list[bytes]]:
    """Signing hashes, signatures, parities and the addresses that made them."""
    table = pq.read_table(path).to_pydict()
    signatures = [r + s for r, s in zip(table["r"], table["s"])]
    return table["msg_hash"], signatures, table["v"], table["from_address"]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("threads", [False, 2])
def test_every_sender_of_the_sample(sample: Path, backend: str, threads: Any) -> None:
    hashes, signatures, parities, expected = read(sample / "ethereum-senders.parquet")
    for low_s in ("allow", "require"):
        options: dict[str, Any] = {"low_s": low_s, "threads": threads, "backend": backend}
        found = phalanx.senders(hashes, signatures, parities, **options)
        assert (len(found), found.width, found.null_count) == (422, 20, 0)
        assert found.to_list() == expected and len(set(expected)) > 200


def test_every_sender_of_the_shared_file(shared: Path) -> None:
    hashes, signatures, parities, expected = read(shared / "data" / "ethereum-senders.parquet")
    done: list[tuple[int, int]] = []
    found = phalanx.senders(hashes, signatures, parities, progress=lambda rows, of: done.append((rows, of)))
    assert found.to_list() == expected and done[-1] == (2985, 2985)


def test_forms_of_columns(sample: Path) -> None:
    hashes, signatures, parities, expected = read(sample / "ethereum-senders.parquet")
    addresses = np.frombuffer(b"".join(expected), np.uint8).reshape(-1, 20)

    def array(values: list[bytes]) -> Any:
        return np.frombuffer(b"".join(values), np.uint8).reshape(len(values), -1)

    found = phalanx.senders(array(hashes), array(signatures), np.array(parities, np.uint8))
    assert np.array_equal(np.asarray(found), addresses)
    # Every other row, and hexadecimal text; and a v that says the same.
    found = phalanx.senders(array(hashes)[::2], array(signatures)[::2], np.array(parities, np.int64)[::2])
    assert np.array_equal(np.asarray(found), addresses[::2])
    text = tuple(pa.array(["0x" + value.hex() for value in values]) for values in (hashes, signatures))
    for v in ([27 + parity for parity in parities], [37 + parity for parity in parities], [p == 1 for p in parities]):
        assert pa.array(phalanx.senders(text[0], text[1], pa.array(v))).to_pylist() == expected
    halves = pa.chunked_array([hashes[:100], hashes[100:]], pa.binary(32))
    assert phalanx.senders(halves, signatures, [bytes([parity]) for parity in parities]).to_list() == expected
    objects = [phalanx.Signature.from_compact(signature) for signature in signatures]
    assert phalanx.senders(hashes, objects, parities).to_list() == expected
    assert len(phalanx.senders([], [], [])) == 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_rows_without_a_sender_are_null(sample: Path, backend: str) -> None:
    (hash_, *_), (signature, *_), (parity, *_), (address, *_) = read(sample / "ethereum-senders.parquet")
    r, s = signature[:32], signature[32:]
    high = (ORDER - int.from_bytes(s, "big")).to_bytes(32, "big")
    zero, five, order = bytes(32), (5).to_bytes(32, "big"), ORDER.to_bytes(32, "big")
    # What is asked, and the reasons where high s is allowed and where it is refused.
    cases = [
        (r + s, parity, "valid", "valid"),
        (r + high, 1 - parity, "valid", "high_s"),
        (zero + s, parity, "out_of_range", "out_of_range"),
        (r + zero, parity, "out_of_range", "out_of_range"),
        (order + high, parity, "out_of_range", "out_of_range"),
        (r + order, parity, "out_of_range", "out_of_range"),
        # No point has this x.
        (five + s, parity, "invalid_signature", "invalid_signature"),
        (five + high, parity, "invalid_signature", "high_s"),
        (r + s, 4, "out_of_range", "out_of_range"),
        (r + s, -1, "out_of_range", "out_of_range"),
        (r + s, 2, "invalid_signature", "invalid_signature"),
        (r + s, parity, "valid", "valid"),
    ] * 3
    signatures, parities = [case[0] for case in cases], [case[1] for case in cases]
    for place, low_s in ((2, "allow"), (3, "require")):
        options: dict[str, Any] = {"low_s": low_s, "backend": backend}
        found = phalanx.senders([hash_] * len(cases), signatures, parities, **options)
        assert found.to_list() == [address if case[place] == "valid" else None for case in cases]
        with pytest.raises(ValueError, match="some rows are null"):
            np.asarray(found)
        told = phalanx.recover({"msg_hash": [hash_] * len(cases), "sig": signatures, "v": parities}, **options)
        assert told.reasons() == [case[place] for case in cases]


def test_calls_that_are_refused(sample: Path) -> None:
    hashes, signatures, parities, _ = read(sample / "ethereum-senders.parquet")
    hashes, signatures, parities = hashes[:3], signatures[:3], parities[:3]
    wrong: list[tuple[tuple[Any, Any, Any], str]] = [
        ((hashes[:2], signatures, parities), "3 signatures, and 2 signing hashes"),
        ((hashes, signatures, parities[:1]), "1 parities, and 3 signing hashes"),
        (([*hashes[:2], bytes(31)], signatures, parities), "row 2: a signing hash of 31 bytes, not 32 bytes"),
        ((hashes, [signatures[0], bytes(65), bytes(64)], parities), "row 1: a signature of 65 bytes, not 64 bytes"),
        (([None, *hashes[1:]], signatures, parities), "row 0: no signing hash"),
        ((hashes, signatures, [0, None, 1]), "row 1: no parity"),
        ((hashes, signatures, ["0", "1", "odd"]), "row 2: no parity"),
    ]
    for columns, fault in wrong:
        with pytest.raises(ValueError, match=fault):
            phalanx.senders(*columns)
    with pytest.raises(ValueError, match="low_s"):
        phalanx.senders(hashes, signatures, parities, low_s="maybe")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="bytes are one value"):
        phalanx.senders(hashes, b"".join(signatures), parities)
