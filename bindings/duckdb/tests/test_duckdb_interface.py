"""The numbers of DuckDB's functions are right: what the extension keeps is where DuckDB has each function."""

from __future__ import annotations

import ctypes
import os
import re
import struct
from pathlib import Path
from typing import Any

import _duckdb
import pytest

LINE = re.compile(r"^    (\d+) (\w+)\(.*;$", re.MULTILINE)


def test_each_function_has_the_number_of_its_name(database: Any, extension: str, repository: Path) -> None:
    source = (repository / "bindings" / "duckdb" / "src" / "table.rs").read_text()
    functions = LINE.findall(source)
    numbers = [int(number) for number, _ in functions]
    assert len(functions) > 45 and numbers == sorted(set(numbers))
    library = ctypes.CDLL(_duckdb.__file__)
    if not hasattr(library, "duckdb_connect"):
        pytest.skip("this DuckDB does not export its functions: their numbers are not checked")
    places = [ctypes.cast(getattr(library, f"duckdb_{name}"), ctypes.c_void_p).value for _, name in functions]
    wanted = struct.pack(f"{len(places)}Q", *places)
    # The extension keeps the functions that it has read by their numbers, in this order.
    parts = []
    with open("/proc/self/mem", "rb", buffering=0) as held:
        for line in Path("/proc/self/maps").read_text().splitlines():
            place, access, *rest = line.split()
            if access.startswith("rw") and rest[-1] == os.path.realpath(extension):
                start, end = (int(part, 16) for part in place.split("-"))
                parts.append(os.pread(held.fileno(), end - start, start))
    assert parts and any(wanted in part for part in parts)
