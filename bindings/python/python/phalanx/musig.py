"""MuSig2 (BIP-327): one Schnorr signature by many signers.

>>> import phalanx
>>> from phalanx import musig
>>> signers = [phalanx.SecretKey.generate() for _ in range(3)]
>>> keys = musig.KeyAggregation([signer.public_key() for signer in signers])

Each signer makes a nonce and sends its public half. A coordinator makes the session of all of them:

>>> nonces = [musig.SecretNonce.generate(signer, keys=keys, message=b"message") for signer in signers]
>>> session = musig.Session(keys, b"message", public_nonces=[nonce.public_nonce for nonce in nonces])

Each signer signs, in a session of its own: `musig.Session(keys, b"message", aggregate_nonce=...)`. The coordinator
makes the signature, or learns who cheats:

>>> partials = [session.sign(nonce, signer) for nonce, signer in zip(nonces, signers)]
>>> try:
...     session.aggregate([*partials[:2], bytes(32)])
... except phalanx.BadContribution as wrong:
...     print(wrong.culprits)
[2]
>>> signature = session.aggregate(partials)
>>> keys.public_key().x_only().verify(signature, b"message")
"""

from phalanx._phalanx import KeyAggregation, SecretNonce
from phalanx._phalanx import MusigSession as Session

__all__ = ["KeyAggregation", "SecretNonce", "Session"]
