"""What wallets of Bitcoin ask of many rows: silent payments, and children of extended keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from phalanx import _parts, _phalanx
from phalanx._bulk import Progress, Tabular, _told
from phalanx._phalanx import Children, Matches, Scanner

Address: TypeAlias = Literal["p2pkh", "p2sh-p2wpkh", "p2wpkh", "p2tr"]
Network: TypeAlias = Literal["main", "test", "regtest"]


def scan(
    table: Tabular,
    scanners: Sequence[Scanner],
    *,
    threads: int | None = None,
    backend: str | None = None,
    progress: Progress = None,
) -> Matches:
    """The outputs that are these receivers', in the rows of an index of silent payments (BIP-352).

    `table` is all that `verify` takes. It has the columns `tweak_key` (the tweak point: 33, 64 or 65 bytes) and
    `outputs` (lists of 64-bit numbers with a sign, which are the first eight bytes of keys, or of keys of 32 bytes).
    It may have `txid` and `height`, of any type, which are handed on. Behind them come the numbers of the `row` and of
    the `scanner`, and `output`, `k`, `label`, `key` and `tweak`, as the command `phalanx scan` has them.

    ValueError or TypeError for a table whose columns cannot be those. Rows never raise: `malformed` of the answer names
    those that cannot be read. Constant time in the secrets, but time may tell which rows pay.
    """
    with _told(progress) as told:
        parts, tell = _parts.parts(table, _phalanx.index_wanted, told)
        options: dict[str, Any] = {"threads": threads, "backend": backend, "progress": tell}
        return _phalanx.scan(parts, scanners, **options)


def derive(
    keys: str | Sequence[str],
    indexes: range,
    *,
    path: str = "m",
    address: Address | None = None,
    network: Network | None = None,
    threads: int | None = None,
    backend: str | None = None,
    progress: Progress = None,
) -> Children:
    """The children of extended public keys (BIP-32) of a range of indexes, none of them hardened. Variable time.

    `keys` is the text of one key, or of several: `xpub...` or `tpub...`, or another form that the command `phalanx
    derive` reads. `path` leads from each to the parent of the children, unless its text has a path of its own. The columns are those of the command `phalanx derive`: `key`, which is the number of the key, `index` and
    `public_key`; with an `address` also `script` and `address`. Without a `network`, that of the key's text counts.

    PhalanxError names the first key that cannot be read or has no such descendants; nothing is derived then.
    """
    if indexes.step != 1 or indexes and not 0 <= indexes.start < indexes.stop <= 1 << 31:
        raise ValueError("indexes: a range of step 1 is needed, from 0 to 2147483648 at most")
    listed = [keys] if isinstance(keys, str) else list(keys)
    with _told(progress) as told:
        options: dict[str, Any] = {"threads": threads, "backend": backend, "progress": told}
        first = indexes.start if indexes else 0
        return _phalanx.derive(listed, first, len(indexes), path=path, address=address, network=network, **options)
