"""FROST: published vectors, cheaters, and what is used once."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import phalanx
from phalanx import BadContribution, PhalanxError, PublicKey, SecretKey, frost

ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
BACKENDS = phalanx.backends()
SUITES = ["rfc9591", "taproot", "bip445"]
PACKAGES = {"rfc9591": "frost-secp256k1", "taproot": "frost-secp256k1-tr"}


def culprits(call: Any, *arguments: Any) -> list[int]:
    """Whom a call blames."""
    with pytest.raises(BadContribution) as raised:
        call(*arguments)
    return raised.value.culprits


def secret(number: int) -> SecretKey:
    return SecretKey.from_bytes((number % ORDER).to_bytes(32, "big"))


def signature_holds(group: frost.Group, signature: bytes, message: bytes) -> None:
    group.verify(signature, message)
    if group.suite != "rfc9591":
        group.public_key().x_only().verify(signature, message)
    with pytest.raises(phalanx.InvalidSignature) as raised:
        group.verify(signature, message + b"x")
    assert raised.value.reason == "invalid_signature"


@pytest.mark.parametrize("suite", PACKAGES)
@pytest.mark.parametrize("name", ["vectors", "vectors-big-identifier"])
def test_signatures_of_the_foundation(shared: Path, suite: str, name: str) -> None:
    file = json.loads((shared / "vectors" / "frost" / PACKAGES[suite] / f"{name}.json").read_text())
    inputs, first, second = file["inputs"], file["round_one_outputs"], file["round_two_outputs"]
    shares = {
        share["identifier"]: SecretKey.from_bytes(bytes.fromhex(share["participant_share"]))
        for share in inputs["participant_shares"]
    }
    publics = {number: share.public_key() for number, share in shares.items()}
    key = bytes.fromhex(inputs["verifying_key_key"])
    group = frost.Group(suite, int(file["config"]["MIN_PARTICIPANTS"]), key, publics)
    assert group.verifying_shares() == publics and group.public_key().to_bytes() == key and group.suite == suite
    commitments = {
        sent["identifier"]: bytes.fromhex(sent["hiding_nonce_commitment"] + sent["binding_nonce_commitment"])
        for sent in first["outputs"]
    }
    message = bytes.fromhex(inputs["message"])
    session = frost.Session(group, commitments, message)
    sent = {share["identifier"]: bytes.fromhex(share["sig_share"]) for share in second["outputs"]}
    for number, share in sent.items():
        session.verify({number: share})
    session.verify(sent)
    signature = session.aggregate(sent)
    assert signature.hex() == file["final_output"]["sig"]
    signature_holds(group, signature, message)


def chilldkg(repository: Path, name: str, kind: str) -> Iterator[tuple[Any, Any]]:
    """The cases of a kind, each with its group: some of the repository, and all where they are."""
    files = [json.loads((repository / "crates" / "frost" / "tests" / "frost" / "chilldkg.json").read_text())[name]]
    whole = repository.parent / "shared" / "vectors" / "frost" / "chilldkg" / f"{name}_vectors.json"
    if whole.exists():
        files.append(json.loads(whole.read_text()))
    found = [(group, case) for file in files for group in file.get("testGroups", [file]) for case in group[kind]]
    assert found
    yield from found


def unhex(values: Iterable[str]) -> list[bytes]:
    return [bytes.fromhex(value) for value in values]


def coordinator(params: Any, messages: list[str]) -> frost.ChillDkgCoordinator:
    return frost.ChillDkgCoordinator(unhex(params["hostpubkeys"]), params["t"], unhex(messages))


def group_is(group: frost.Group, params: Any, expected: Any) -> None:
    assert group.suite == "bip445" and group.threshold == params["t"]
    assert group.public_key().to_bytes().hex().upper() == expected["threshPk"]
    shares = [share.to_bytes().hex().upper() for share in group.verifying_shares().values()]
    assert shares == expected["pubshares"] and list(group.verifying_shares()) == list(range(1, len(shares) + 1))


def test_a_coordinator_of_chilldkg(repository: Path) -> None:
    def begun(group: Any, case: Any) -> frost.ChillDkgCoordinator:
        return coordinator(case["params"], [group["pmsg1Pool"][at] for at in case["pmsg1Indices"]])

    def refused(case: Any, call: Any, *arguments: Any) -> None:
        with pytest.raises(PhalanxError) as raised:
            call(*arguments)
        # The draft counts from 0.
        if (blamed := case["expectedError"].get("participantId")) is not None:
            assert isinstance(raised.value, BadContribution) and raised.value.culprits == [blamed + 1]

    for group, case in chilldkg(repository, "coordinator_step1", "validTestCases"):
        assert begun(group, case).message.hex().upper() == case["expectedCmsg1"]
    for group, case in chilldkg(repository, "coordinator_step1", "errorTestCases"):
        refused(case, begun, group, case)
    for group, case in chilldkg(repository, "coordinator_finalize", "validTestCases"):
        expected = case["expectedOutput"]
        signatures = unhex(group["pmsg2Pool"][at] for at in case["pmsg2Indices"])
        certificate, made, recovery = coordinator(group["params"], group["pmsgs1"]).finish(signatures)
        assert [certificate.hex().upper(), recovery.hex().upper()] == [expected["cmsg2"], expected["recoveryData"]]
        group_is(made, group["params"], expected["dkgOutput"])
        group_is(frost.recover(recovery), group["params"], expected["dkgOutput"])
        # Every signature that is changed is named.
        for wrong in ([0], [2], [0, 1, 2]):
            bad = [bytes(64) if at in wrong else signature for at, signature in enumerate(signatures)]
            found = culprits(coordinator(group["params"], group["pmsgs1"]).finish, bad)
            assert found == [at + 1 for at in wrong]
    for group, case in chilldkg(repository, "coordinator_finalize", "errorTestCases"):
        signatures = unhex(group["pmsg2Pool"][at] for at in case["pmsg2Indices"])
        refused(case, coordinator(group["params"], group["pmsgs1"]).finish, signatures)
    for group, case in chilldkg(repository, "coordinator_investigate", "validTestCases"):
        made_for = coordinator(group["params"], group["pmsgs1"]).investigation_messages()
        assert [message.hex().upper() for message in made_for] == case["expectedCinvMsgs"]
    for _, case in chilldkg(repository, "recover", "validTestCases"):
        expected = case["expectedOutput"]
        group_is(frost.recover(bytes.fromhex(case["recoveryData"])), expected["params"], expected["dkgOutput"])
    for _, case in chilldkg(repository, "recover", "errorTestCases"):
        # Without a host key the data alone is looked at.
        if case["expectedError"]["type"] == "RecoveryDataError":
            with pytest.raises(PhalanxError, match="recovery data"):
                frost.recover(bytes.fromhex(case["recoveryData"]))
    with pytest.raises(TypeError):
        frost.ChillDkgCoordinator([], 1, ["text"])  # type: ignore[list-item]


def bip445(repository: Path, name: str) -> Iterator[Any]:
    """The groups of a file: some of the repository, and all where they are."""
    some = json.loads((repository / "crates" / "frost" / "tests" / "frost" / "bip445.json").read_text())
    yield from some[name]["test_groups"]
    whole = repository.parent / "shared" / "vectors" / "frost" / "bip445" / f"{name}_vectors.json"
    if whole.exists():
        yield from json.loads(whole.read_text())["test_groups"]


def session_of(group: Any, case: Any) -> frost.Session:
    """The session of a case. The draft counts participants from 0."""

    def picked(of: str, indices: str) -> list[bytes]:
        return [bytes.fromhex(group[of][at]) for at in case[indices]]

    numbers = [number + 1 for number in case["ids"]]
    shares = dict(zip(numbers, picked("pubshares", "pubshare_indices")))
    made = frost.Group("bip445", group["t"], bytes.fromhex(group["thresh_pk"]), shares)
    tweaks = list(zip(picked("tweaks", "tweak_indices"), case["is_xonly"])) if "tweak_indices" in case else []
    commitments = dict(zip(numbers, picked("pubnonces", "pubnonce_indices")))
    return frost.Session(made, commitments, bytes.fromhex(case["msg"]), tweaks=tweaks)


def test_shares_of_bip_445(repository: Path) -> None:
    held = 0
    for name in ("sign_verify", "tweak"):
        for group in bip445(repository, name):
            for case in group["valid_tests"]:
                session = session_of(group, case)
                if session.aggregate_nonce.hex().upper() == case["aggnonce"]:
                    session.verify({case["my_id"] + 1: bytes.fromhex(case["expected"])})
                    held += 1
    failed = 0
    for group in bip445(repository, "sign_verify"):
        for case in group["verify_fail_tests"]:
            number = case["ids"][case["signer_index"]] + 1
            assert culprits(session_of(group, case).verify, {number: bytes.fromhex(case["psig"])}) == [number]
            failed += 1
        for case in group["verify_error_tests"]:
            with pytest.raises(PhalanxError) as raised:
                session_of(group, case)
            if (blamed := case["error"].get("signer_index")) is not None:
                assert isinstance(raised.value, BadContribution)
                assert raised.value.culprits == [case["ids"][blamed] + 1]
    assert held >= 3 and failed >= 1


def dealt(suite: str, threshold: int, numbers: Iterable[int], backend: str | None = None) -> Any:
    """A group, and the shares of its participants: a dealer's work, which is not the package's."""
    coefficients = [int.from_bytes(hashlib.sha256(bytes([n])).digest(), "big") for n in range(threshold)]
    shares = {x: secret(sum(c * pow(x, n, ORDER) for n, c in enumerate(coefficients))) for x in numbers}
    publics = {number: share.public_key() for number, share in shares.items()}
    group = frost.Group(suite, threshold, secret(coefficients[0]).public_key(), publics, backend=backend)
    return group, {number: frost.KeyShare(group, number, share) for number, share in shares.items()}


def session_and_shares(group: frost.Group, shares: dict[int, frost.KeyShare]) -> tuple[frost.Session, dict[int, bytes]]:
    """The session of these signers, and what they send."""
    nonces = {number: frost.Nonces.generate(share) for number, share in shares.items()}
    session = frost.Session(group, {number: nonce.commitments for number, nonce in nonces.items()}, b"message")
    return session, {number: session.sign(nonces[number], share) for number, share in shares.items()}


def plus(share: bytes, number: int) -> bytes:
    return ((int.from_bytes(share, "big") + number) % ORDER).to_bytes(32, "big")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("suite", SUITES)
def test_cheaters_are_named(suite: str, backend: str) -> None:
    group, shares = dealt(suite, 5, range(1, 10), backend)
    session, sent = session_and_shares(group, {number: shares[number] for number in (9, 2, 3, 5, 6, 7)})
    session.verify(sent)
    for wrong in ([2], [9], [3, 6], [2, 3, 5, 6, 7, 9]):
        bad = {number: plus(share, 1) if number in wrong else share for number, share in sent.items()}
        assert culprits(session.verify, bad) == culprits(session.aggregate, bad) == wrong
        session.verify({number: share for number, share in bad.items() if number not in wrong})
        malformed = {number: b"short" if number in wrong else share for number, share in sent.items()}
        assert culprits(session.aggregate, malformed) == wrong
    assert culprits(session.aggregate, {**sent, 2: plus(sent[2], 1), 3: plus(sent[3], -1)}) == [2, 3]
    with pytest.raises(PhalanxError, match="nothing came from participant 2"):
        session.aggregate({number: share for number, share in sent.items() if number != 2})
    with pytest.raises(PhalanxError, match="participant 1 does not belong here"):
        session.verify({1: sent[2]})
    assert session.public_key() == group.public_key()
    signature_holds(group, session.aggregate(sent), b"message")


def test_participants_of_any_number() -> None:
    numbers = [1, 2**64, ORDER - 1]
    group, shares = dealt("rfc9591", 2, numbers)
    assert list(group.verifying_shares()) == numbers
    session, sent = session_and_shares(group, shares)
    assert culprits(session.verify, {**sent, 2**64: bytes(32)}) == [2**64]
    wrong: list[Any] = [0, -1, ORDER, 2**256, 2**300]
    for number in wrong:
        with pytest.raises(PhalanxError, match="identifier"):
            frost.KeyShare(group, number, secret(7))
    for other in ("1", 1.0, None, b"1"):
        with pytest.raises(TypeError, match="participants have numbers"):
            session.verify({other: bytes(32)})  # type: ignore[dict-item]
    signature_holds(group, session.aggregate(sent), b"message")


def test_groups_that_are_none() -> None:
    group, _ = dealt("taproot", 2, [1, 2, 3])
    key, shares = group.public_key(), group.verifying_shares()
    wrong = {3: shares[2], 1: shares[1], 2: shares[2]}
    with pytest.raises(PhalanxError, match="do not belong"):
        frost.Group("taproot", 2, key, wrong)
    with pytest.raises(PhalanxError, match="do not belong"):
        frost.Group("taproot", 2, shares[1], shares)
    for threshold in (0, 4, -1, 2**70):
        with pytest.raises(PhalanxError, match="threshold"):
            frost.Group("taproot", threshold, key, shares)
    assert culprits(frost.Group, "taproot", 2, key, {**shares, 2: bytes(33), 3: b""}) == [2, 3]
    with pytest.raises(PhalanxError, match="public key"):
        frost.Group("taproot", 2, b"", shares)
    with pytest.raises(ValueError, match="suite"):
        frost.Group("frost", 2, key, shares)
    with pytest.raises(ValueError, match="abacus"):
        frost.Group("taproot", 2, key, shares, backend="abacus")
    with pytest.raises(TypeError, match="mapping"):
        frost.Group("taproot", 2, key, [shares[1]])  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        frost.Group("taproot", 2, key, {1: "text"})  # type: ignore[dict-item]


def test_sessions_that_are_none() -> None:
    group, shares = dealt("taproot", 2, [1, 2, 3])
    commitments = {number: frost.Nonces.generate(share).commitments for number, share in shares.items()}
    for bad in (b"", bytes(66), commitments[1][:65], commitments[1] + b"\0"):
        assert culprits(frost.Session, group, {**commitments, 2: bad}, b"") == [2]
    with pytest.raises(PhalanxError, match="fewer"):
        frost.Session(group, {1: commitments[1]}, b"")
    with pytest.raises(PhalanxError, match="participant 4 does not belong"):
        frost.Session(group, {**commitments, 4: commitments[1]}, b"")
    with pytest.raises(PhalanxError, match="no such step"):
        frost.Session(group, commitments, b"", tweaks=[(bytes(32), True)])
    for tweak in ((bytes(31), True), bytes(32), (bytes(32),)):
        with pytest.raises((TypeError, ValueError)):
            frost.Session(group, commitments, b"", tweaks=[tweak])  # type: ignore[list-item]


def test_tweaks() -> None:
    group, shares = dealt("taproot", 2, [1, 2, 3])
    for root in (None, bytes([7] * 32)):
        x = group.public_key().x_only()
        start = hashlib.sha256(b"TapTweak").digest() * 2
        tweak = hashlib.sha256(start + x.to_bytes() + (root or b"")).digest()
        tweaked = group.taproot(root)
        assert tweaked.public_key().x_only() == x.tweak_add(tweak)[0] and tweaked.threshold == 2
    with pytest.raises(ValueError):
        group.taproot(bytes(31))
    group, shares = dealt("bip445", 2, [1, 2, 3])
    with pytest.raises(PhalanxError, match="no such step"):
        group.taproot()
    nonces = {number: frost.Nonces.generate(share) for number, share in shares.items()}
    sent = {number: nonce.commitments for number, nonce in nonces.items()}
    tweak = bytes([9] * 32)
    session = frost.Session(group, sent, b"message", tweaks=[(tweak, True)])
    key = session.public_key().x_only()
    assert key == group.public_key().x_only().tweak_add(tweak)[0]
    signature = session.aggregate({number: session.sign(nonces[number], share) for number, share in shares.items()})
    key.verify(signature, b"message")


def test_nonces_sign_once() -> None:
    group, shares = dealt("taproot", 2, [1, 2, 3])
    with pytest.raises(PhalanxError, match="another group"):
        frost.KeyShare(group, 2, secret(7))
    with pytest.raises(PhalanxError, match="does not belong"):
        frost.KeyShare(group, 4, secret(7))
    nonces = {number: frost.Nonces.generate(share) for number, share in shares.items()}
    sent = {number: nonce.commitments for number, nonce in nonces.items()}
    session = frost.Session(group, {1: sent[1], 2: sent[2]}, b"message")
    session.sign(nonces[1], shares[1])
    # Where signing fails, the nonces are gone as well.
    with pytest.raises(PhalanxError, match="nonces are not those"):
        session.sign(nonces[3], shares[2])
    for number in (1, 3):
        with pytest.raises(PhalanxError, match="signs once"):
            session.sign(nonces[number], shares[number])
        assert nonces[number].commitments == sent[number]


def test_what_is_used_once_is_not_copied() -> None:
    group, shares = dealt("taproot", 2, [1, 2, 3])
    nonces = frost.Nonces.generate(shares[1])
    session, sent = session_and_shares(group, shares)
    for thing in (nonces, shares[1], session):
        for copied in (copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="neither copied nor pickled"):
                copied(thing)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError, match="neither copied nor pickled"):
                pickle.dumps(thing, protocol)
        assert repr(thing).startswith(f"<phalanx.frost.{type(thing).__name__} object at ")
    session.aggregate(sent)
    for again in (session.aggregate, session.verify):
        with pytest.raises(PhalanxError, match="has made its signature"):
            again(sent)
    with pytest.raises(PhalanxError, match="has made its signature"):
        session.sign(nonces, shares[1])
