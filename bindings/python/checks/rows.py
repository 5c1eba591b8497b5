"""Rows to measure with: distinct keys, valid signatures of 64 bytes."""

from __future__ import annotations

import hashlib
from typing import Any

import pyarrow as pa

import phalanx


def signed(first: int, count: int) -> Any:
    """A table of rows that are numbered from `first` on, with the columns `id`, `msg_hash`, `pubkey` and `sig`."""
    numbers = range(first, first + count)
    secrets = pa.array([hashlib.sha256(b"secret %d" % n).digest() for n in numbers], pa.binary(32))
    digests = pa.array([hashlib.sha256(b"message %d" % n).digest() for n in numbers], pa.binary(32))
    columns = {
        "id": pa.array(numbers, pa.int64()),
        "msg_hash": digests,
        "pubkey": pa.array(phalanx.public_keys(secrets)),
        "sig": pa.array(phalanx.sign(digests, secrets)),
    }
    return pa.table(columns)
