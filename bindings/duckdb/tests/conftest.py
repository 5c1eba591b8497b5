"""The extension in a new database, and the rows of the Python package's tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "python" / "tests"))

from payments import SCAN
from repository import pytest_terminal_summary, repository, shared

__all__ = ["pytest_terminal_summary", "repository", "shared"]


@pytest.fixture(scope="session")
def extension() -> str:
    """The file, which `cargo xtask duckdb dev` has made."""
    return os.environ["PHALANX_DUCKDB_EXTENSION"]


@pytest.fixture
def database(extension: str) -> Iterator[Any]:
    """A connection to a database that has loaded the extension."""
    with duckdb.connect(config={"allow_unsigned_extensions": "true"}) as connection:
        connection.execute(f"LOAD '{extension}'")
        yield connection


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    """A file with the scan secret of the tests."""
    file = tmp_path / "scan-key"
    file.write_text(f"{SCAN.to_bytes().hex()}\n")
    return file
