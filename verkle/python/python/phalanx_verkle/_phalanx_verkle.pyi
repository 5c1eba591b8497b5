"""The half of the package that is compiled."""

from collections.abc import Callable
from typing import Any, final

__version__: str

_Told = Callable[[int, int], object] | None

class PhalanxError(ValueError):
    """A row that is not good."""

@final
class Column:
    """Values of one width, one for each row."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Arrow's interface. The type that is asked for is not looked at, which the interface allows."""
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """An array of NumPy, n x width bytes. NumPy asks for it where the buffer protocol has refused."""
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __len__(self) -> int: ...
    def __getitem__(self, row: int, /) -> bytes | None:
        """The value of a row; None where it is null."""
    @property
    def null_count(self) -> int:
        """How many rows are null."""
    @property
    def width(self) -> int:
        """The bytes of a value."""
    def to_list(self) -> list[bytes | None]:
        """All values as bytes objects; None where a row is null."""

@final
class VerkleBasis:
    """The 256 elements of Banderwagon that Ethereum's Verkle trees commit over, and tables of their multiples."""

    def __new__(cls, *, backend: str | None = None) -> VerkleBasis: ...
    def __len__(self) -> int: ...
    @property
    def backend(self) -> str:
        """The name of the backend that computes."""
    @property
    def table_bytes(self) -> int:
        """The bytes of the tables."""
    def elements(self) -> Column:
        """The elements, 32 bytes each."""
    def sum(self, scalars: Any, *, mapped: bool = False) -> bytes:
        """The sum of these scalars times the first elements, in 32 bytes. `mapped` gives its image among the scalars
        instead, which is what a tree commits to one node further up. For public scalars: its time depends on them.
        """
    def sums(
        self, rows: Any, *, mapped: bool = False, threads: int | None = None, progress: _Told = None
    ) -> Column:
        """The sum of each row of scalars, 32 bytes each, as `sum` computes it. A row is 32 bytes for each of the first
        elements, or for all.
        """
    def commit(self, scalars: Any) -> bytes:
        """The sum of these scalars times the first elements, in 32 bytes, in constant time: for secret scalars. It
        reads no tables, and takes many times as long.
        """

def backends() -> list[str]: ...
