"""Threshold signatures (FROST): any t of n participants sign together.

Participants have numbers from 1. What they send is given as mappings from their numbers to bytes. A coordinator knows
the public side of the group, and makes a session of the commitments that its signers send:

    group = frost.Group("taproot", threshold, public_key, {1: share_1, 2: share_2, 3: share_3})
    session = frost.Session(group, {1: commitments_1, 3: commitments_3}, b"message")
    try:
        signature = session.aggregate({1: share_of_signature_1, 3: share_of_signature_3})
    except phalanx.BadContribution as wrong:
        print(wrong.culprits)

The suites are `rfc9591`, `taproot` (that of the crate frost-secp256k1-tr) and `bip445` (the draft, which counts
participants from 0: its participant 0 is number 1 here).
"""

from phalanx._phalanx import FrostSession as Session
from phalanx._phalanx import ChillDkgCoordinator, Group, KeyShare, Nonces, recover

__all__ = ["ChillDkgCoordinator", "Group", "KeyShare", "Nonces", "Session", "recover"]
