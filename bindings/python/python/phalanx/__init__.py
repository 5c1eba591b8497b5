"""secp256k1 in lanes of a vector unit: tables of signatures in, verdicts out.

>>> import phalanx
>>> secret = phalanx.SecretKey.from_bytes(bytes([7] * 32))
>>> digests = [bytes([n] * 32) for n in range(3)]
>>> table = {"msg_hash": digests, "pubkey": [secret.public_key().to_bytes()] * 3,
...          "sig": phalanx.sign(digests, [secret] * 3)}
>>> phalanx.verify(table).reasons()
['valid', 'valid', 'valid']
"""

from phalanx import _runs_here as _runs_here  # First: it says where this package does not run.
from phalanx._bulk import (
    compute,
    ecdh,
    iter_recover,
    iter_verify,
    operations,
    public_keys,
    recover,
    senders,
    sign,
    sum_of_products,
    verify,
    verify_batch,
)
from phalanx._phalanx import (
    BadContribution,
    Children,
    Column,
    FixedBase,
    InvalidSignature,
    Matches,
    PhalanxError,
    PublicKey,
    Scanner,
    SecretKey,
    Signature,
    Table,
    XOnlyPublicKey,
    __version__,
    backends,
)
from phalanx._wallets import derive, scan

from phalanx import frost, musig

__all__ = [
    "BadContribution",
    "Children",
    "Column",
    "FixedBase",
    "InvalidSignature",
    "Matches",
    "PhalanxError",
    "PublicKey",
    "Scanner",
    "SecretKey",
    "Signature",
    "Table",
    "XOnlyPublicKey",
    "__version__",
    "backends",
    "compute",
    "derive",
    "ecdh",
    "frost",
    "iter_recover",
    "iter_verify",
    "musig",
    "operations",
    "public_keys",
    "recover",
    "scan",
    "senders",
    "sign",
    "sum_of_products",
    "verify",
    "verify_batch",
]
