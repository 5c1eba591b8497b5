"""Indexes of silent payments and what is found in them, by BIP-352's words: points by the package, hashes by Python."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import phalanx

SCAN, SPEND = (phalanx.SecretKey.from_bytes(bytes([n] * 32)) for n in (3, 5))
LABELS = [1, 2]


def tagged(tag: str, data: bytes) -> bytes:
    return hashlib.sha256(hashlib.sha256(tag.encode()).digest() * 2 + data).digest()


def scanner(labels: Sequence[int] = LABELS) -> phalanx.Scanner:
    return phalanx.Scanner(SCAN, SPEND.public_key(), labels)


def spend_key(label: int | None) -> phalanx.PublicKey:
    """The spend key with a label in it."""
    if label is None:
        return SPEND.public_key()
    return SPEND.public_key().tweak_add(tagged("BIP0352/Label", SCAN.to_bytes() + label.to_bytes(4, "big")))


def paid(point: phalanx.PublicKey, labels: Sequence[int | None]) -> list[bytes]:
    """The output keys that pay the receiver once for each label, in a transaction with this tweak point."""
    shared = point.tweak_mul(SCAN.to_bytes()).to_bytes()
    tweaks = [tagged("BIP0352/SharedSecret", shared + k.to_bytes(4, "big")) for k in range(len(labels))]
    return [spend_key(label).tweak_add(tweak).x_only().to_bytes() for label, tweak in zip(labels, tweaks)]


def stored(point: phalanx.PublicKey) -> bytes:
    """The point in the form in which libsecp256k1 keeps it."""
    whole = point.to_bytes(compressed=False)
    return whole[32:0:-1] + whole[:32:-1]


def index(rows: int) -> tuple[dict[str, list[Any]], list[dict[str, Any]]]:
    """Rows of which every fifth pays the receiver, with points in all forms and outputs as keys; and the matches."""
    columns: dict[str, list[Any]] = {"txid": [], "height": [], "tweak_key": [], "outputs": []}
    matches = []
    ways: dict[int, list[int | None]] = {0: [None], 5: [None, 2], 10: [0], 15: [None] * 3}
    for row in range(rows):
        txid = hashlib.sha256(row.to_bytes(4, "big")).digest()
        point = phalanx.SecretKey.from_bytes(hashlib.sha256(txid).digest()).public_key()
        outputs = [hashlib.sha256(txid + bytes([output])).digest() for output in range(row % 4)]
        labels = ways.get(row % 20, [])
        for k, (label, key) in enumerate(zip(labels, paid(point, labels) if labels else [])):
            found = {"txid": txid, "height": 800_000 + row, "row": row, "scanner": 0}
            matches.append({**found, "output": len(outputs), "k": k, "label": label, "key": key})
            outputs.append(key)
        forms = point.to_bytes(), stored(point), point.to_bytes(compressed=False)
        for name, value in zip(columns, (txid, 800_000 + row, forms[row % 3], outputs)):
            columns[name].append(value)
    return columns, matches


def prefixes(outputs: list[list[bytes]]) -> list[list[int]]:
    """The first eight bytes of each key as numbers with a sign."""
    return [[int.from_bytes(key[:8], "big", signed=True) for key in keys] for keys in outputs]


def without_tweaks(matches: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The matches, each of whose tweaks spends its output."""
    for match in matches:
        assert SPEND.tweak_add(match["tweak"]).x_only_public_key().to_bytes() == match["key"]
    return [{name: value for name, value in match.items() if name != "tweak"} for match in matches]
