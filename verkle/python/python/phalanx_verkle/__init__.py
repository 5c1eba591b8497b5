"""Commitments over the 256 elements of Banderwagon that Ethereum's Verkle trees commit over.

>>> import phalanx_verkle
>>> basis = phalanx_verkle.VerkleBasis()
>>> scalars = [number.to_bytes(32, "little") for number in range(1, 6)]
>>> basis.sum(scalars) == basis.commit(scalars)
True
"""

from phalanx_verkle._phalanx_verkle import Column, PhalanxError, VerkleBasis, __version__, backends

__all__ = ["Column", "PhalanxError", "VerkleBasis", "__version__", "backends"]
