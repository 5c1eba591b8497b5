"""Tables that are read a part at a time: files of Parquet, and lazy queries of polars."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from phalanx._frames import Wanted, asked_for

Told: TypeAlias = Callable[[int, int], object] | None

# A part has at most so many rows, and of a file fewer where its rows are large: about so many bytes.
_ROWS = 1 << 16
_BYTES = 1 << 25
# Bytes of each column's pages that are read from a file at once.
_PAGES = 1 << 20


def is_read_in_parts(table: Any) -> bool:
    """Whether this is no table itself, but read as one: a path, or a lazy query of polars."""
    return isinstance(table, (str, os.PathLike)) or _is_lazy(table)


def parts(table: Any, wanted: Wanted, told: Told = None) -> tuple[Iterable[Any], Told]:
    """The parts of a table, at least one, and what is to be told of the progress in each; `told` hears of all.

    They have the columns that are `wanted`, and may have others.
    """
    if not is_read_in_parts(table):
        return [asked_for(table, wanted)], told
    batches, total = (_of_query(table, wanted), 0) if _is_lazy(table) else _of_file(table, wanted)
    before = done = 0

    def counted() -> Iterator[Any]:
        nonlocal before, done
        for batch in batches:
            yield batch
            before, done = before + done, 0

    def tell(rows: int, rows_of_part: int) -> None:
        nonlocal done
        done = rows
        if told is not None:
            told(before + rows, max(total, before + rows_of_part))

    return counted(), told and tell


def _is_lazy(table: Any) -> bool:
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(table, polars.LazyFrame)


def _of_query(query: Any, wanted: Wanted) -> Iterator[Any]:
    """The result of a query, in polars' batches: it does not tell beforehand how many rows they have."""
    if not hasattr(query, "collect_batches"):
        raise TypeError("this version of polars has no LazyFrame.collect_batches: give lazy.collect()")
    names = query.collect_schema().names()
    places = wanted(names)
    if len(places) < len(names):
        query = query.select(sys.modules["polars"].nth(places))
    batches = query.collect_batches(chunk_size=_ROWS, maintain_order=True)
    for batch in _some(batches, lambda: query.limit(0).collect()):
        yield asked_for(batch, wanted)


def _some(batches: Iterable[Any], empty: Callable[[], Any]) -> Iterator[Any]:
    """The batches, or a table of no rows where there is none: its columns are looked at all the same."""
    none = True
    for batch in batches:
        none = False
        yield batch
    if none:
        yield empty()


def _of_file(path: str | os.PathLike[str], wanted: Wanted) -> tuple[Iterator[Any], int]:
    """The rows of a Parquet file, and their number."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as missing:
        raise ImportError("pyarrow reads files, and is not there: install it, or give a table") from missing
    name = os.fspath(path)
    if os.path.isdir(name):
        raise IsADirectoryError(f"{name!r} is a folder: give its files one by one, as iter_verify takes them")
    try:
        file = parquet.ParquetFile(name, pre_buffer=False, buffer_size=_PAGES)
    except pyarrow.ArrowInvalid as wrong:
        what = f"{name!r} is no Parquet file ({wrong})"
        raise ValueError(f"{what}: read it by another library and give a table") from wrong
    metadata = file.metadata
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    widest = max((group.total_byte_size // max(group.num_rows, 1) for group in groups), default=0)
    rows = min(_ROWS, max(1, _BYTES // max(widest, 1)))

    def batches() -> Iterator[Any]:
        with file:
            names = file.schema_arrow.names
            places = wanted(names)
            columns = [names[place] for place in places] if len(places) < len(names) else None
            yield from _some(file.iter_batches(rows, columns=columns), file.schema_arrow.empty_table)

    return batches(), metadata.num_rows
