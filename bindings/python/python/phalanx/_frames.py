"""Frames of pandas and polars. Only columns that a call asks for are converted to Arrow's arrays, and one that cannot
be converted does not stop the others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Wanted: TypeAlias = Callable[[Sequence[str]], Sequence[int]]
"""Finds the places of the columns that a call asks for among those with these names."""


def asked_for(table: Any, wanted: Wanted) -> Any:
    """The columns of a frame that a call asks for. Another table comes back as it is: it is read column by column."""
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(table, pandas.DataFrame) and hasattr(table, "__arrow_c_stream__"):
        return _of_pandas(table, wanted)
    if polars is not None and isinstance(table, polars.DataFrame):
        return _of_polars(table, wanted)
    return table


class _Stream:
    """A stream of Arrow's interface that has been made."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._capsule


def _of_pandas(frame: Any, wanted: Wanted) -> Any:
    columns = [str(label) for label in frame.columns]
    names = [*columns, *_levels(frame.index, columns)]
    places = wanted(names)
    own = [place for place in places if place < len(columns)]
    if len(places) < len(names):
        frame = frame.iloc[:, own]
        if len(own) == len(places):
            frame = frame.reset_index(drop=True)
    try:
        return _Stream(frame.__arrow_c_stream__())
    except ImportError:
        raise
    except Exception:
        if len({names[place] for place in places}) < len(places):
            raise
    apart = {names[place]: _converted(frame.iloc[:, number]) for number, place in enumerate(own)}
    levels = (place for place in places if place >= len(columns))
    return apart | {names[place]: _converted(frame.index.get_level_values(place - len(columns))) for place in levels}


def _levels(index: Any, columns: Sequence[str]) -> list[str]:
    """The names that pyarrow gives to the columns of an index. A range index has no columns."""
    if type(index).__name__ == "RangeIndex":
        return []
    named = enumerate(index.names)
    return [
        f"__index_level_{number}__" if name is None or str(name) in columns else str(name) for number, name in named
    ]


def _converted(values: Any) -> Any:
    """A column of pandas as an array. Integers above 64 bits become decimals.

    Returns the error, instead of raising it, if the column cannot be converted.
    """
    import pyarrow

    try:
        return pyarrow.array(values, from_pandas=True)
    except OverflowError:
        try:
            return pyarrow.array(values, pyarrow.decimal128(38), from_pandas=True)
        except Exception:
            return ValueError("an integer of more than 38 digits, or integers above 64 bits among other values")
    except Exception as wrong:
        return wrong


def _of_polars(frame: Any, wanted: Wanted) -> Any:
    polars = sys.modules["polars"]
    names = frame.columns
    places = wanted(names)
    if any(_holds_objects(frame.dtypes[place]) for place in places):
        # polars would give the addresses of the objects.
        wrong = TypeError("objects of Python, which have no Arrow type")
        series = {place: frame.to_series(place) for place in places}
        return {names[place]: wrong if _holds_objects(one.dtype) else one for place, one in series.items()}
    return frame if len(places) == len(names) else frame.select(polars.nth(places))


def _holds_objects(dtype: Any) -> bool:
    if dtype == sys.modules["polars"].Object:
        return True
    inner = [field.dtype for field in getattr(dtype, "fields", ())] or [getattr(dtype, "inner", None)]
    return any(_holds_objects(one) for one in inner if one is not None)
