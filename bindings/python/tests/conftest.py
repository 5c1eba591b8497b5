"""What the tests share."""

from __future__ import annotations

from typing import Any

import pytest
from repository import pytest_terminal_summary, repository, sample, shared

import phalanx

__all__ = ["pytest_terminal_summary", "repository", "sample", "shared", "signed"]


@pytest.fixture(scope="session")
def signed() -> dict[str, Any]:
    """Fifty good rows of ECDSA, as lists of bytes."""
    secrets = [phalanx.SecretKey.from_bytes(bytes([n] * 32)) for n in range(1, 51)]
    digests = [bytes([n] * 32) for n in range(50)]
    return {
        "id": [f"row {n}" for n in range(50)],
        "msg_hash": digests,
        "pubkey": [secret.public_key().to_bytes() for secret in secrets],
        "sig": phalanx.sign(digests, secrets).to_list(),
    }
