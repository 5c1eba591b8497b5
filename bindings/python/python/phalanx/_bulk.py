"""Calls on many rows."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, Union

from phalanx import _parts, _phalanx
from phalanx._phalanx import Column, Table

if TYPE_CHECKING:
    from typing_extensions import Buffer


class ArrowStream(Protocol):
    """What has Arrow's interface for tables and columns in several pieces."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class ArrowArray(Protocol):
    """What has Arrow's interface for batches and columns in one piece."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...


class LazyFrame(Protocol):
    """A lazy query of polars."""

    def collect_batches(self, *args: Any, **options: Any) -> Iterator[Any]: ...


Values: TypeAlias = Union[ArrowStream, ArrowArray, "Buffer", Sequence[Any]]
"""One column: Arrow's, an array of n x width bytes or n integers, or a list."""
Tabular: TypeAlias = Union[ArrowStream, ArrowArray, Mapping[str, Values], str, "os.PathLike[str]", LazyFrame]
"""A table: Arrow's, columns by their names, the path of a Parquet file, or a lazy query of polars."""
Output: TypeAlias = Union[Literal["all", "id"], Sequence[str]]
Progress: TypeAlias = Union[bool, Callable[[int, int], object], None]
LowS: TypeAlias = Literal["allow", "require"]
Der: TypeAlias = Literal["strict", "lax"]
Batch: TypeAlias = Literal["auto", "always", "never"]
V: TypeAlias = Literal["last", "eip155", "header", "eip2098"]
"""Where the recovery id of a signature stands: the last of 65 bytes, 0 to 3 or 27 to 30; the same, or 35 and above
(EIP-155); the first of 65 bytes, 27 to 42 (BIP-137); or the highest bit of s in 64 bytes (EIP-2098)."""


@contextmanager
def _told(progress: Progress) -> Iterator[Callable[[int, int], object] | None]:
    """The callable that a call tells of its progress."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        from tqdm.auto import tqdm

        with tqdm(unit=" rows", unit_scale=True) as bar:

            def tell(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            yield tell
    else:
        yield progress


def _pairs(columns: Mapping[str, str] | None) -> list[tuple[str, str]]:
    """Roles, and what the table calls them."""
    if columns is not None and not isinstance(columns, Mapping):
        raise TypeError(f"columns: a mapping from roles to names is needed, as {{'sig': 'signature'}}, not {columns!r}")
    return list((columns or {}).items())


def _rows(
    job: Literal["verify", "recover"],
    columns: Mapping[str, str] | None,
    output: Output,
    low_s: LowS,
    der: Der,
    backend: str | None,
    hybrid_keys: bool = False,
    batch: Batch = "never",
    v: V | None = None,
) -> _phalanx.Rows:
    if isinstance(output, str) and output not in ("all", "id"):
        raise ValueError(f"output: {output!r} is none of all, id, or a list of columns")
    kept = None if output == "all" else [] if output == "id" else list(output)
    policy: dict[str, Any] = {"low_s": low_s, "der": der, "hybrid_keys": hybrid_keys, "batch": batch, "v": v}
    return _phalanx.Rows(job, columns=_pairs(columns), output=kept, backend=backend, **policy)


def _answer(rows: _phalanx.Rows, table: Tabular, threads: int | None, progress: Progress) -> Table:
    """The answer for a table, or for all of its parts."""
    with _told(progress) as told:
        answered = list(_answers(rows, [table], threads, told))
    return answered[0] if len(answered) == 1 else _phalanx.joined(answered)


def verify(
    table: Tabular,
    *,
    columns: Mapping[str, str] | None = None,
    output: Output = "all",
    low_s: LowS = "allow",
    der: Der = "strict",
    hybrid_keys: bool = False,
    v: V | None = None,
    batch: Batch = "auto",
    threads: int | None = None,
    backend: str | None = None,
    progress: Progress = None,
) -> Table:
    """A verdict for each row, as the command `phalanx verify` gives it.

    `table` has the columns `msg_hash` (or `message`), `pubkey` and `sig` (or `r`, `s`), and may have `scheme`, `v` and
    `id`; `columns` names them where they are called otherwise, as in `{"sig": "signature_der"}`.

    `table` may also be the path of a Parquet file, which pyarrow reads, or a LazyFrame of polars. These are read in parts
    of at most 65,536 rows, two of which are held at most beside the result.

    `output="all"` hands on all columns, `"id"` the id alone, and a list the id and these. Behind them come `valid`,
    `reason` and `column`, the column at fault. Columns that have no role and are not handed on are not read. Integers
    above 64 bits are handed on as decimals. With `"all"`, a column that Arrow cannot hold is left out with a warning.
    `notes` of the result says what is wrong with the first ten bad rows.

    ValueError for a table that lacks a column; rows never raise. Ctrl-C ends the call after the pieces of at most 4,096
    rows that its threads are at. `progress` is called with the rows that are done and all rows; True shows a bar by tqdm.
    `threads` is a number, or True for all cores, which is the default; False computes on one thread.
    """
    rows = _rows("verify", columns, output, low_s, der, backend, hybrid_keys, batch, v)
    return _answer(rows, table, threads, progress)


def verify_batch(
    table: Tabular,
    *,
    columns: Mapping[str, str] | None = None,
    output: Output = "all",
    low_s: LowS = "allow",
    der: Der = "strict",
    hybrid_keys: bool = False,
    v: V | None = None,
    threads: int | None = None,
    backend: str | None = None,
    progress: Progress = None,
) -> Table:
    """As `verify`, by sums over many rows: Schnorr rows, and ECDSA rows with a recovery id.

    The verdicts are the same, but for a row that is wrongly taken for valid with probability below 2^-124. It is
    faster where nearly all rows are valid, and slower where many are not.
    """
    rows = _rows("verify", columns, output, low_s, der, backend, hybrid_keys, "always", v)
    return _answer(rows, table, threads, progress)


def recover(
    table: Tabular,
    *,
    columns: Mapping[str, str] | None = None,
    output: Output = "all",
    low_s: LowS = "allow",
    der: Der = "strict",
    v: V | None = None,
    threads: int | None = None,
    backend: str | None = None,
    progress: Progress = None,
) -> Table:
    """The key of each row's signature and its Ethereum address, as the command `phalanx recover` gives them.

    `table` has the columns `msg_hash` and `sig` (or `r`, `s`), and `v` unless `sig` has 65 bytes. A row that has
    `pubkey` or `from_address` is valid only where the recovered key agrees. Behind the columns that are handed on come
    `public_key`, `address`, `valid`, `reason` and `column`. Otherwise as `verify`.

    `v` says where recovery ids stand, by default `"last"`. ValueError for a table whose signatures seem to have them
    elsewhere, if wrong keys may have been found; a warning where nothing tells.
    """
    rows = _rows("recover", columns, output, low_s, der, backend, v=v)
    return _answer(rows, table, threads, progress)


def iter_verify(
    tables: Iterable[Tabular] | os.PathLike[str] | LazyFrame,
    *,
    columns: Mapping[str, str] | None = None,
    output: Output = "all",
    low_s: LowS = "allow",
    der: Der = "strict",
    hybrid_keys: bool = False,
    v: V | None = None,
    batch: Batch = "auto",
    threads: int | None = None,
    backend: str | None = None,
) -> Iterator[Table]:
    """As `verify`, for tables that come one after the other: one is held at a time.

    `tables` may also be one path or LazyFrame, whose parts are answered one by one, and paths may be among the tables.
    """
    rows = _rows("verify", columns, output, low_s, der, backend, hybrid_keys, batch, v)
    return _answers(rows, tables, threads)


def iter_recover(
    tables: Iterable[Tabular] | os.PathLike[str] | LazyFrame,
    *,
    columns: Mapping[str, str] | None = None,
    output: Output = "all",
    low_s: LowS = "allow",
    der: Der = "strict",
    v: V | None = None,
    threads: int | None = None,
    backend: str | None = None,
) -> Iterator[Table]:
    """As `recover`, for tables that come one after the other."""
    rows = _rows("recover", columns, output, low_s, der, backend, v=v)
    return _answers(rows, tables, threads)


def _answers(
    rows: _phalanx.Rows, tables: Any, threads: int | None, told: _parts.Told = None
) -> Iterator[Table]:
    """The answers for tables that are the parts of one. A generator of its own: the options have been checked by then."""
    first = True
    for table in [tables] if _parts.is_read_in_parts(tables) else tables:
        parts, tell = _parts.parts(table, rows.wanted, told)
        for part in parts:
            answered = rows.answer(part, first=first, threads=threads, progress=tell)
            if answered.hint is not None:
                warnings.warn(answered.hint, stacklevel=2)
            # What has no rows does not tell whether the others have recovery ids.
            first = first and len(answered) == 0
            yield answered


def compute(
    operation: str,
    *columns: Values | None,
    optional_outputs: bool = False,
    low_s: LowS = "require",
    payload: Literal["none", "key_hash", "script_hash", "taproot_key"] = "none",
    threads: int | None = None,
    backend: str | None = None,
    progress: Progress = None,
) -> Column:
    """The values that an operation of `operations()` gives for each row of these columns, as bytes.

    Rows that have none are null. PhalanxError names the first row whose secret key is not valid. The outputs of a row
    stand one behind the other. Those that may be left out, such as recovery ids, are there with `optional_outputs`.
    `low_s` is for `senders`. `payload` is what scripts hold of the keys that `derive_children` finds, whose indices are
    4 bytes each, in the byte order of this machine. Randomness that is None is zeros. Constant time where the operation
    is. ValueError for an unknown operation, and for columns that are not the operation's.
    """
    with _told(progress) as told:
        options: dict[str, Any] = {"threads": threads, "backend": backend, "progress": told}
        choices: dict[str, Any] = {"optional_outputs": optional_outputs, "low_s": low_s, "payload": payload}
        return _phalanx.compute(operation, columns, **choices, **options)


def operations() -> dict[str, str]:
    """The operations that `compute` knows, and what each computes of which columns."""
    return dict(_phalanx.operations())


def public_keys(
    secret_keys: Values,
    *,
    threads: int | None = None,
    backend: str | None = None,
    progress: Progress = None,
) -> Column:
    """The public key of each secret key, 33 bytes each. Constant time.

    PhalanxError names the first row whose secret key is not valid.
    """
    return compute("public_keys", secret_keys, threads=threads, backend=backend, progress=progress)


def sign(
    messages: Values,
    secret_keys: Values,
    *,
    scheme: Literal["ecdsa", "schnorr"] = "ecdsa",
    recoverable: bool = False,
    aux: Values | None = None,
    threads: int | None = None,
    backend: str | None = None,
    progress: Progress = None,
) -> Column:
    """A signature for each row, 64 bytes each. Constant time.

    ECDSA signs digests of 32 bytes, by the nonces of RFC 6979 and with low s; `recoverable` appends the recovery id as
    a 65th byte. Schnorr signs messages of any length (BIP-340) with `aux`, randomness of 32 bytes for
    each row; without it, zeros.
    """
    columns: tuple[Values | None, ...]
    if scheme == "ecdsa":
        if aux is not None:
            raise ValueError("aux: ECDSA signatures take none")
        name, columns = "sign_ecdsa", (messages, secret_keys)
    elif scheme == "schnorr":
        if recoverable:
            raise ValueError("recoverable: no key is recovered from a Schnorr signature")
        name, columns = "sign_schnorr", (messages, secret_keys, aux)
    else:
        raise ValueError(f"scheme: {scheme!r} is none of ecdsa, schnorr")
    return compute(name, *columns, optional_outputs=recoverable, threads=threads, backend=backend, progress=progress)


def ecdh(
    public_keys: Values,
    secret_keys: Values,
    *,
    threads: int | None = None,
    backend: str | None = None,
    progress: Progress = None,
) -> Column:
    """The shared secret of each public and secret key: SHA-256 of the compressed point, 32 bytes each.

    Rows whose public key is not valid are null. Constant time in the secret keys.
    """
    return compute("shared_secrets", public_keys, secret_keys, threads=threads, backend=backend, progress=progress)


def senders(
    signing_hashes: Values,
    signatures: Values,
    parities: Values,
    *,
    low_s: LowS = "allow",
    threads: int | None = None,
    backend: str | None = None,
    progress: Progress = None,
) -> Column:
    """The Ethereum address that made each signature of a signing hash, 20 bytes each. Variable time.

    Signing hashes have 32 bytes, and signatures 64: r and s. A parity is 0, or 1 where the y of the nonce point is odd;
    a `v` that says the same is taken too, as `recover` reads it. A row is null where no address made its signature:
    where r, s or the parity is out of range, where `low_s="require"` refuses its s, or where recovery finds no key.
    `recover` says which. ValueError names the first row whose value is missing or of another length.
    """
    columns = (signing_hashes, signatures, parities)
    return compute("senders", *columns, low_s=low_s, threads=threads, backend=backend, progress=progress)


def sum_of_products(
    table: Tabular,
    *,
    columns: Mapping[str, str] | None = None,
    threads: int | None = None,
    backend: str | None = None,
    progress: Progress = None,
) -> bytes:
    """The sum of all rows' `scalar` (32 bytes) times `point` (33 or 65 bytes), as 33 bytes; zeros are infinity.

    For public values: its time depends on them. PhalanxError names the first row that is not valid.
    """
    with _told(progress) as told:
        pairs = _pairs(columns)
        parts, tell = _parts.parts(table, lambda header: _phalanx.terms_wanted(header, pairs), told)
        options: dict[str, Any] = {"threads": threads, "backend": backend, "progress": tell}
        return _phalanx.sum_of_products(parts, columns=pairs, **options)
