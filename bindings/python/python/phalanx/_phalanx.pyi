"""The half of the package that is compiled."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Never, final

from typing_extensions import Buffer

__version__: str
checks_arithmetic: bool
"""Whether arithmetic is checked as it runs, as the profile `dev` has it: such a build is slower."""

_Told = Callable[[int, int], object] | None

class PhalanxError(ValueError):
    """A key, a signature or a row that is not good. `reason` is the name of the verdict that a row would have, if any."""

    reason: str | None

class InvalidSignature(PhalanxError):
    """A signature that is not valid."""

class BadContribution(PhalanxError):
    """What signers of one signature sent is wrong. `culprits` names all whose values are malformed, or else all whose
    values do not hold: in MuSig by their places in the list of keys, from 0; in FROST by the numbers of participants.
    """

    culprits: list[int]

@final
class SecretKey:
    """A secret key. It is not shown and not pickled."""

    @staticmethod
    def generate() -> SecretKey:
        """A new key from the operating system's randomness."""
    @staticmethod
    def from_bytes(data: Buffer) -> SecretKey:
        """Reads 32 bytes, big-endian. Those of a bytearray can be wiped by the caller."""
    @staticmethod
    def from_file(path: str | os.PathLike[str]) -> SecretKey:
        """Reads 64 hex digits, the first line of a file, as `phalanx keygen --secret-file` writes it. Python makes no
        copy.
        """
    def to_bytes(self) -> bytes:
        """The key as 32 bytes, which Python does not wipe."""
    def public_key(self) -> PublicKey:
        """The point of the key."""
    def x_only_public_key(self) -> XOnlyPublicKey:
        """The key of BIP-340: the x coordinate of the point."""
    def sign(self, digest: bytes) -> Signature:
        """An ECDSA signature of a digest of 32 bytes: the nonce of RFC 6979, low s. Constant time."""
    def sign_recoverable(self, digest: bytes) -> tuple[Signature, int]:
        """The same, with its recovery id."""
    def sign_schnorr(self, message: bytes, *, aux: bytes | None = None) -> bytes:
        """A Schnorr signature (BIP-340) of a message of any length, 64 bytes. `aux` is randomness of 32 bytes; without
        it, zeros. Constant time.
        """
    def exchange(self, peer_public_key: PublicKey) -> bytes:
        """The shared secret with another key: SHA-256 of the compressed point, 32 bytes. Constant time."""
    def shared_x(self, peer_public_key: PublicKey) -> bytes:
        """The x coordinate of the product with another key, 32 bytes, for protocols that hash it themselves. Constant
        time.
        """
    def tweak_add(self, tweak: bytes) -> SecretKey:
        """The key plus a tweak of 32 bytes."""
    def tweak_mul(self, tweak: bytes) -> SecretKey:
        """The key times a tweak of 32 bytes."""
    def negate(self) -> SecretKey:
        """The key whose public key is this one's negative."""
    def allow_pickling(self) -> SecretKey:
        """The same key, which can be pickled: its bytes stand in the pickle as they are."""
    def __eq__(self, value: object, /) -> bool: ...
    def __copy__(self) -> SecretKey: ...
    def __deepcopy__(self, _memo: Any) -> SecretKey: ...
    __hash__ = None  # type: ignore[assignment]

@final
class PublicKey:
    """A public key."""

    @staticmethod
    def from_bytes(data: bytes) -> PublicKey:
        """Reads 33 or 65 bytes (SEC 1)."""
    def to_bytes(self, *, compressed: bool = True) -> bytes:
        """The key as 33 bytes, or as 65."""
    def verify(self, signature: Signature, digest: bytes, *, low_s: str = "allow") -> None:
        """Returns where the ECDSA signature of a digest of 32 bytes is valid, and raises InvalidSignature where it is
        not.
        """
    def x_only(self) -> XOnlyPublicKey:
        """The x coordinate as a key of BIP-340."""
    def address(self) -> bytes:
        """The Ethereum address, 20 bytes."""
    def tweak_add(self, tweak: bytes) -> PublicKey:
        """The key plus a tweak of 32 bytes times the generator."""
    def tweak_mul(self, tweak: bytes) -> PublicKey:
        """The key times a tweak of 32 bytes."""
    def negate(self) -> PublicKey:
        """The negative of the point."""
    @staticmethod
    def combine(keys: Sequence[PublicKey]) -> PublicKey:
        """The sum of keys."""
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __lt__(self, value: PublicKey, /) -> bool: ...
    def __le__(self, value: PublicKey, /) -> bool: ...
    def __gt__(self, value: PublicKey, /) -> bool: ...
    def __ge__(self, value: PublicKey, /) -> bool: ...

@final
class XOnlyPublicKey:
    """A key of BIP-340."""

    @staticmethod
    def from_bytes(data: bytes) -> XOnlyPublicKey:
        """Reads 32 bytes."""
    def to_bytes(self) -> bytes:
        """The key as 32 bytes."""
    def verify(self, signature: bytes, message: bytes) -> None:
        """Returns where the Schnorr signature (64 bytes) of a message is valid, and raises InvalidSignature where it is
        not.
        """
    def tweak_add(self, tweak: bytes) -> tuple[XOnlyPublicKey, bool]:
        """The key plus a tweak of 32 bytes times the generator, and whether its y is odd."""
    def public_key(self) -> PublicKey:
        """The point with an even y."""
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __lt__(self, value: XOnlyPublicKey, /) -> bool: ...
    def __le__(self, value: XOnlyPublicKey, /) -> bool: ...
    def __gt__(self, value: XOnlyPublicKey, /) -> bool: ...
    def __ge__(self, value: XOnlyPublicKey, /) -> bool: ...

@final
class Signature:
    """An ECDSA signature."""

    @staticmethod
    def from_compact(data: bytes) -> Signature:
        """Reads r and s, 64 bytes."""
    @staticmethod
    def from_der(data: bytes, *, lax: bool = False) -> Signature:
        """Reads DER, as BIP-66 has it; with `lax`, what was accepted before it too."""
    def to_compact(self) -> bytes:
        """r and s, 64 bytes."""
    def to_der(self) -> bytes:
        """DER, 70 bytes or so."""
    @property
    def r(self) -> int:
        """The first number."""
    @property
    def s(self) -> int:
        """The second number."""
    @property
    def is_high_s(self) -> bool:
        """Whether s is above half the group order."""
    def normalize_s(self) -> Signature:
        """The signature of the same message and key whose s is not."""
    def recover(self, digest: bytes, recovery_id: int) -> PublicKey:
        """The public key that made this signature of a digest of 32 bytes, by its recovery id from 0 to 3."""
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Table:
    """A table with a verdict for each row."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Arrow's interface. The schema that is asked for is not looked at, which the interface allows."""
    def __arrow_c_schema__(self) -> object:
        """The names and types of the columns, by Arrow's interface."""
    def __len__(self) -> int: ...
    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
    def valid(self) -> list[bool]:
        """Whether each row is valid."""
    def reasons(self) -> list[str]:
        """The verdict of each row by its name."""
    @property
    def counts(self) -> dict[str, int]:
        """How many rows have each verdict, by its name."""
    @property
    def notes(self) -> dict[int, str]:
        """Why the first rows that are not valid are not, by their numbers: ten at most, as the command describes them."""
    @property
    def hint(self) -> str | None:
        """What is to be said of the table as a whole, if anything: recovery ids that seem to stand elsewhere."""
    @property
    def high_s_rows(self) -> int:
        """How many rows have an ECDSA signature with s above half the group order, whatever their verdict."""
    @property
    def exit_status(self) -> int:
        """The exit status of the command: 0 where all rows are valid, 1 where some are invalid, 3 where some are
        malformed.
        """

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
class Rows:
    """A question that is asked of each row, and how."""

    def __new__(
        cls,
        job: str,
        *,
        columns: Sequence[tuple[str, str]],
        output: Sequence[str] | None,
        low_s: str,
        der: str,
        hybrid_keys: bool,
        batch: str,
        v: str | None,
        backend: str | None,
    ) -> Rows: ...
    @property
    def backend(self) -> str:
        """The name of the backend that computes."""
    def wanted(self, header: Sequence[str]) -> list[int]:
        """The places of the columns that are read or handed on, of a table with these names of columns."""
    def answer(
        self, table: Any, *, first: bool = True, threads: int | None = None, progress: _Told = None
    ) -> Table:
        """The table with an answer for each row. `first` says that no rows have come before its first: only then does
        that row tell whether recovery ids are nowhere.
        """

@final
class FixedBase:
    """Points that never change, and tables of their multiples within so many bytes."""

    def __new__(cls, points: Any, *, memory: int = 67108864, backend: str | None = None) -> FixedBase: ...
    def __len__(self) -> int: ...
    @property
    def table_bytes(self) -> int:
        """The bytes of the tables."""
    def sum(self, scalars: Any) -> bytes:
        """The sum of these scalars times the first points, as 33 bytes, by the tables. For public scalars: its time
        depends on them.
        """
    def sums(self, rows: Any, *, threads: int | None = None, progress: _Told = None) -> Column:
        """The sum of each row of scalars: a row is 32 bytes for each of the first points, or for all. 33 bytes each, in
        time that depends on the scalars.
        """
    def commit(self, scalars: Any) -> bytes:
        """The sum of these scalars times the first points, as 33 bytes, in constant time: for secret scalars. It reads
        no tables, and takes many times as long.
        """

@final
class KeyAggregation:
    """The keys of all signers, in their order, and the one key that stands for them."""

    def __new__(cls, public_keys: Any, *, backend: str | None = None) -> KeyAggregation: ...
    def __len__(self) -> int: ...
    def public_key(self) -> PublicKey:
        """The aggregate key with all tweaks. Signatures are valid under its x coordinate."""
    def tweak_add(self, tweak: bytes, *, x_only: bool = False) -> KeyAggregation:
        """The same keys, with 32 bytes times the generator added to the aggregate: as it is, as BIP-32 does, or with
        `x_only` to the point with its x and an even y, as BIP-341 does.
        """

@final
class SecretNonce:
    """A secret nonce, which signs once. It is not shown, copied or pickled."""

    @staticmethod
    def generate(
        secret_key: SecretKey, *, keys: KeyAggregation | None = None, message: bytes | None = None
    ) -> SecretNonce:
        """A new nonce of the signer with this key, from the operating system's randomness. It also depends on what else
        is known already, which helps where that randomness is bad. Constant time.
        """
    @property
    def public_nonce(self) -> bytes:
        """What the signer sends: 66 bytes."""
    def __reduce__(self) -> Never: ...

@final
class MusigSession:
    """A message, its signers and their nonces: one signature. It is neither copied nor pickled."""

    def __new__(
        cls,
        keys: KeyAggregation,
        message: bytes,
        *,
        public_nonces: Any = None,
        aggregate_nonce: bytes | None = None,
    ) -> MusigSession: ...
    @property
    def aggregate_nonce(self) -> bytes:
        """The sum of all public nonces, which signers need: 66 bytes."""
    def sign(self, secret_nonce: SecretNonce, secret_key: SecretKey) -> bytes:
        """A signer's partial signature, 32 bytes. The secret nonce is used up, also where the call fails. Constant
        time.
        """
    def verify(self, partial_signatures: Any) -> None:
        """Returns where the partial signatures of all signers, in the order of the keys, hold, which is found by one
        sum. Where some do not, raises BadContribution, whose culprits are their places from 0. Needs `public_nonces`.
        """
    def aggregate(self, partial_signatures: Any) -> bytes:
        """The signature of all partial signatures, 64 bytes, which has been verified. Where it does not hold, raises
        BadContribution as `verify` does, or InvalidSignature if the session has no `public_nonces`. A session makes one
        signature: afterwards its calls raise.
        """
    def __reduce__(self) -> Never: ...

@final
class Group:
    """The public side of a shared key: any `threshold` of its participants can sign together."""

    def __new__(
        cls,
        suite: str,
        threshold: int,
        public_key: PublicKey | bytes,
        verifying_shares: Mapping[int, PublicKey | bytes],
        *,
        backend: str | None = None,
    ) -> Group: ...
    @property
    def suite(self) -> str:
        """The protocol: `rfc9591`, `taproot` or `bip445`."""
    @property
    def threshold(self) -> int:
        """The number of participants who can sign."""
    def public_key(self) -> PublicKey:
        """The key under which signatures are valid. For signatures of BIP-340 its x coordinate counts."""
    def verifying_shares(self) -> dict[int, PublicKey]:
        """Each participant's share as a multiple of the generator."""
    def taproot(self, merkle_root: bytes | None = None) -> Group:
        """The group whose key is the taproot output key of this one (BIP-341), in the suite `taproot`."""
    def verify(self, signature: bytes, message: bytes) -> None:
        """Returns where the group's signature of a message is valid, and raises InvalidSignature where it is not."""

@final
class KeyShare:
    """A participant's secret share of a group's key. It is not shown, copied or pickled."""

    def __new__(cls, group: Group, participant: int, secret_key: SecretKey) -> KeyShare: ...
    def __reduce__(self) -> Never: ...

@final
class Nonces:
    """The secret nonces of one participant for one signature. They are not shown, copied or pickled."""

    @staticmethod
    def generate(share: KeyShare) -> Nonces:
        """New nonces from the operating system's randomness and the share. Constant time."""
    @property
    def commitments(self) -> bytes:
        """What the participant sends: 66 bytes."""
    def __reduce__(self) -> Never: ...

@final
class FrostSession:
    """A message, its signers and their nonces: one signature. It is neither copied nor pickled."""

    def __new__(
        cls,
        group: Group,
        commitments: Mapping[int, bytes],
        message: bytes,
        *,
        tweaks: Sequence[tuple[bytes, bool]] = (),
    ) -> FrostSession: ...
    @property
    def aggregate_nonce(self) -> bytes:
        """The sum of all commitments, which signers of BIP-445 need: 66 bytes."""
    def public_key(self) -> PublicKey:
        """The key under which the signature is valid: the group's key with the tweaks."""
    def sign(self, nonces: Nonces, share: KeyShare) -> bytes:
        """A signer's share of the signature, 32 bytes. The nonces are used up, also where the call fails. Constant
        time.
        """
    def verify(self, shares: Mapping[int, bytes]) -> None:
        """Returns where the shares of these signers hold, which is found by one sum. Where some do not, raises
        BadContribution, whose culprits are the numbers of those participants.
        """
    def aggregate(self, shares: Mapping[int, bytes]) -> bytes:
        """The signature from the shares of all signers, every one of which is checked: 64 bytes, or 65 in the suite
        `rfc9591`. Raises as `verify` does. A session makes one signature: afterwards its calls raise.
        """
    def __reduce__(self) -> Never: ...

@final
class ChillDkgCoordinator:
    """The coordinator of ChillDKG, which learns no secret. Its group is one of the suite `bip445`."""

    def __new__(
        cls, host_keys: Any, threshold: int, messages: Sequence[bytes], *, backend: str | None = None
    ) -> ChillDkgCoordinator: ...
    @property
    def message(self) -> bytes:
        """The message of step 1 for all participants."""
    def finish(self, signatures: Any) -> tuple[bytes, Group, bytes]:
        """Ends step 2 with the participants' signatures, 64 bytes each, in their order. Gives the certificate, which is
        the message for all participants, the group, and the recovery data.
        """
    def investigation_messages(self) -> list[bytes]:
        """For each participant the message by which it finds out whose fault it is if its share is wrong."""

def recover(recovery_data: bytes, *, backend: str | None = None) -> Group:
    """The group that a session of ChillDKG came to, from its recovery data."""

@final
class Scanner:
    """A receiver of silent payments who scans. The secret is wiped; it is not shown and not pickled."""

    def __new__(
        cls, scan_key: SecretKey | Buffer, spend_key: PublicKey | bytes, labels: Iterable[int] = ()
    ) -> Scanner: ...
    def address(self, label: int | None = None, *, network: str = "main") -> str:
        """The address, with one of the labels in it or without. `network` is main, test or regtest, and both test
        networks have the same addresses. Label 0 is for change, and is given to nobody.
        """

@final
class Matches:
    """The outputs of receivers in the rows of an index."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Arrow's interface. The schema that is asked for is not looked at, which the interface allows."""
    def __arrow_c_schema__(self) -> object:
        """The names and types of the columns, by Arrow's interface."""
    def __len__(self) -> int: ...
    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
    @property
    def rows(self) -> int:
        """How many rows the index has."""
    @property
    def malformed(self) -> dict[int, str]:
        """The rows that cannot be read, and so have no matches, by their number from 0: what is wrong with each."""

@final
class Children:
    """The children of extended keys: a row for each."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Arrow's interface. The schema that is asked for is not looked at, which the interface allows."""
    def __arrow_c_schema__(self) -> object:
        """The names and types of the columns, by Arrow's interface."""
    def __len__(self) -> int: ...
    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""

def is_main_interpreter() -> bool: ...
def backends() -> list[str]: ...
def joined(tables: Sequence[Table]) -> Table: ...
def classes(counts: Sequence[tuple[str, int]]) -> tuple[int, int, int, int, int]: ...
def operations() -> list[tuple[str, str]]: ...
def compute(
    operation: str,
    columns: Sequence[Any],
    *,
    optional_outputs: bool = False,
    low_s: str = "require",
    payload: str = "none",
    threads: int | None = None,
    backend: str | None = None,
    progress: _Told = None,
) -> Column: ...
def terms_wanted(header: Sequence[str], columns: Sequence[tuple[str, str]]) -> list[int]: ...
def index_wanted(header: Sequence[str]) -> list[int]: ...
def sum_of_products(
    tables: Iterable[Any],
    *,
    columns: Sequence[tuple[str, str]],
    threads: int | None = None,
    backend: str | None = None,
    progress: _Told = None,
) -> bytes: ...
def scan(
    tables: Iterable[Any],
    scanners: Sequence[Scanner],
    *,
    threads: int | None = None,
    backend: str | None = None,
    progress: _Told = None,
) -> Matches: ...
def derive(
    keys: Sequence[str],
    first: int,
    count: int,
    *,
    path: str,
    address: str | None,
    network: str | None,
    threads: int | None = None,
    backend: str | None = None,
    progress: _Told = None,
) -> Children: ...
