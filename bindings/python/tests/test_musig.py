"""MuSig2: BIP-327's files, cheaters, and what is used once."""

from __future__ import annotations

import copy
import doctest
import json
import multiprocessing
import os
import pickle
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import phalanx
from phalanx import BadContribution, PhalanxError, SecretKey, musig

ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
BACKENDS = phalanx.backends()


@pytest.fixture
def bip327(shared: Path) -> Any:
    return lambda name: json.loads((shared / "vectors" / "bip327" / f"{name}_vectors.json").read_text())


def chosen(file: Any, of: str, case: Any, indices: str) -> list[bytes]:
    return [bytes.fromhex(file[of][at]) for at in case[indices]]


def aggregated(file: Any, case: Any) -> musig.KeyAggregation:
    keys = musig.KeyAggregation(chosen(file, "pubkeys", case, "key_indices"))
    indices = "tweak_indices" in case
    tweaks = chosen(file, "tweaks", case, "tweak_indices") if indices else map(bytes.fromhex, case.get("tweaks", []))
    for tweak, x_only in zip(tweaks, case.get("is_xonly", [])):
        keys = keys.tweak_add(tweak, x_only=x_only)
    return keys


def culprits(call: Any, *arguments: Any) -> list[int]:
    """Whom a call blames."""
    with pytest.raises(BadContribution) as raised:
        call(*arguments)
    assert all(str(culprit) in str(raised.value) for culprit in raised.value.culprits)
    return raised.value.culprits


def test_keys_of_the_vectors(bip327: Any) -> None:
    file = bip327("key_agg")
    for case in file["valid_test_cases"]:
        key = aggregated(file, case).public_key().x_only()
        assert key.to_bytes().hex().upper() == case["expected"]
    for case in file["error_test_cases"]:
        if "signer" in case["error"]:
            assert culprits(aggregated, file, case) == [case["error"]["signer"]]
        else:
            with pytest.raises(PhalanxError, match="tweak"):
                aggregated(file, case)
    assert (len(file["valid_test_cases"]), len(file["error_test_cases"])) == (4, 5)


def test_nonces_of_the_vectors(bip327: Any) -> None:
    file = bip327("nonce_agg")
    keys = musig.KeyAggregation([SecretKey.generate().public_key() for _ in range(2)])

    def session(case: Any) -> musig.Session:
        return musig.Session(keys, b"", public_nonces=chosen(file, "pnonces", case, "pnonce_indices"))

    for case in file["valid_test_cases"]:
        assert session(case).aggregate_nonce.hex().upper() == case["expected"]
    for case in file["error_test_cases"]:
        assert culprits(session, case) == [case["error"]["signer"]]
    assert (len(file["valid_test_cases"]), len(file["error_test_cases"])) == (2, 3)


def blamed(file: Any, case: Any, message: bytes, partial: bytes) -> list[int]:
    """Whom a session of a case blames if its signer sends this, and all others send zeros."""
    nonces = chosen(file, "pnonces", case, "nonce_indices")
    session = musig.Session(aggregated(file, case), message, public_nonces=nonces)
    partials = [bytes(32)] * len(nonces)
    partials[case["signer_index"]] = partial
    return culprits(session.verify, partials)


def test_partial_signatures_of_the_vectors(bip327: Any) -> None:
    file, tweaked = bip327("sign_verify"), bip327("tweak")

    def message(of: Any, case: Any) -> bytes:
        return bytes.fromhex(of["msg"] if "msg" in of else of["msgs"][case["msg_index"]])

    for of in (file, tweaked):
        for case in of["valid_test_cases"]:
            found = blamed(of, case, message(of, case), bytes.fromhex(case["expected"]))
            assert found == [at for at in range(len(case["nonce_indices"])) if at != case["signer_index"]]
    for case in file["verify_fail_test_cases"]:
        assert case["signer_index"] in blamed(file, case, message(file, case), bytes.fromhex(case["sig"]))
    for case in file["verify_error_test_cases"]:
        assert culprits(blamed, file, case, b"", bytes(32)) == [case["error"]["signer"]]
    kinds = ["valid_test_cases", "verify_fail_test_cases", "verify_error_test_cases"]
    assert [len(file[kind]) for kind in kinds] == [6, 3, 2] and len(tweaked["valid_test_cases"]) == 5


def test_signatures_of_the_vectors(bip327: Any) -> None:
    file = bip327("sig_agg")
    message = bytes.fromhex(file["msg"])
    for case in file["valid_test_cases"] + file["error_test_cases"]:
        keys = aggregated(file, case)
        nonces, partials = chosen(file, "pnonces", case, "nonce_indices"), chosen(file, "psigs", case, "psig_indices")
        session = musig.Session(keys, message, public_nonces=nonces)
        assert session.aggregate_nonce.hex().upper() == case["aggnonce"]
        if "error" in case:
            assert culprits(session.aggregate, partials) == [case["error"]["signer"]]
            continue
        session.verify(partials)
        unnamed = musig.Session(keys, message, aggregate_nonce=session.aggregate_nonce)
        signature = session.aggregate(partials)
        assert signature.hex().upper() == case["expected"] and unnamed.aggregate(partials) == signature
        keys.public_key().x_only().verify(signature, message)
    assert (len(file["valid_test_cases"]), len(file["error_test_cases"])) == (4, 1)


def keys_of(count: int) -> list[SecretKey]:
    return [SecretKey.from_bytes(n.to_bytes(32, "big")) for n in range(1, count + 1)]


def signed(count: int, backend: str | None = None) -> tuple[musig.KeyAggregation, musig.Session, list[bytes]]:
    """The session of so many signers, and what they send."""
    signers = keys_of(count)
    keys = musig.KeyAggregation([signer.public_key() for signer in signers], backend=backend)
    keys = keys.tweak_add(bytes([5] * 32), x_only=True).tweak_add(bytes([6] * 32))
    nonces = [musig.SecretNonce.generate(signer, keys=keys, message=b"message") for signer in signers]
    session = musig.Session(keys, b"message", public_nonces=[nonce.public_nonce for nonce in nonces])
    return keys, session, [session.sign(nonce, signer) for nonce, signer in zip(nonces, signers)]


def plus(partial: bytes, number: int) -> bytes:
    return ((int.from_bytes(partial, "big") + number) % ORDER).to_bytes(32, "big")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_cheaters_are_named(count: int, backend: str) -> None:
    keys, session, partials = signed(count, backend)
    assert len(keys) == count
    session.verify(partials)
    for wrong in ([0], [count - 1], sorted({0, count // 2, count - 1}), list(range(count))):
        bad = [plus(partial, 1) if at in wrong else partial for at, partial in enumerate(partials)]
        assert culprits(session.verify, bad) == culprits(session.aggregate, bad) == wrong
    # Faults that cancel: the signature holds, and who made them is still found.
    if count > 1:
        cancelling = [plus(partials[0], 1), plus(partials[1], -1), *partials[2:]]
        assert culprits(session.verify, cancelling) == [0, 1]
    signature = session.aggregate(partials)
    keys.public_key().x_only().verify(signature, b"message")


def test_columns_of_other_libraries() -> None:
    np, pa = pytest.importorskip("numpy"), pytest.importorskip("pyarrow")
    _, session, partials = signed(7)
    for column in (pa.array(partials), pa.array([partial.hex() for partial in partials]), tuple(partials)):
        session.verify(column)
    session.verify(np.frombuffer(b"".join(partials), np.uint8).reshape(7, 32))


def test_bytes_that_are_none() -> None:
    signers = keys_of(5)
    encoded = [signer.public_key().to_bytes() for signer in signers]
    keys, session, partials = signed(5)
    nonces = [musig.SecretNonce.generate(signer).public_nonce for signer in signers]

    def replaced(values: Sequence[bytes], at: int, value: bytes) -> list[bytes]:
        return [*values[:at], value, *values[at + 1 :]]

    for at in (0, 3):
        for bad in (b"", bytes(33), bytes([2] + [255] * 32), encoded[0][1:], bytes(1000)):
            assert culprits(musig.KeyAggregation, replaced(encoded, at, bad)) == [at]
        for bad in (b"", bytes(66), nonces[0][:65], nonces[0] + b"\0"):
            replacement = replaced(nonces, at, bad)
            assert culprits(lambda: musig.Session(keys, b"", public_nonces=replacement)) == [at]
        for bad in (b"", bytes([255] * 32), bytes(31), bytes(33)):
            assert culprits(session.verify, replaced(partials, at, bad)) == [at]
            assert culprits(session.aggregate, replaced(partials, at, bad)) == [at]
    with pytest.raises(PhalanxError, match="no keys"):
        musig.KeyAggregation([])
    for tweak in (bytes(31), ORDER.to_bytes(32, "big")):
        with pytest.raises(PhalanxError, match="tweak"):
            keys.tweak_add(tweak)
    for short in (partials[:4], [*partials, partials[0]], []):
        with pytest.raises(PhalanxError, match="one value for each signer"):
            session.verify(short)
        with pytest.raises(PhalanxError, match="one value for each signer"):
            session.aggregate(short)
    with pytest.raises(PhalanxError, match="one value for each signer"):
        musig.Session(keys, b"", public_nonces=nonces[:4])
    for sum_of_nonces in (b"", bytes([4] * 66)):
        with pytest.raises(PhalanxError, match="aggregate.nonce"):
            musig.Session(keys, b"", aggregate_nonce=sum_of_nonces)
    for neither in ({}, {"public_nonces": nonces, "aggregate_nonce": bytes(66)}):
        with pytest.raises(ValueError, match="give public_nonces"):
            musig.Session(keys, b"", **neither)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="row 1: no partial signature"):
        session.verify([partials[0], None, *partials[2:]])
    with pytest.raises(TypeError):
        session.verify(b"".join(partials))
    with pytest.raises(ValueError, match="abacus"):
        musig.KeyAggregation(encoded, backend="abacus")


def test_a_signer_knows_the_sum_of_nonces() -> None:
    signers = keys_of(3)
    keys = musig.KeyAggregation([signer.public_key() for signer in signers])
    nonces = [musig.SecretNonce.generate(signer) for signer in signers]
    coordinator = musig.Session(keys, b"message", public_nonces=[nonce.public_nonce for nonce in nonces])
    partials = []
    for signer, nonce in zip(signers, nonces):
        session = musig.Session(keys, b"message", aggregate_nonce=coordinator.aggregate_nonce)
        partials.append(session.sign(nonce, signer))
        with pytest.raises(ValueError, match="knows no signer's nonce"):
            session.verify(partials)
    coordinator.verify(partials)
    session = musig.Session(keys, b"message", aggregate_nonce=coordinator.aggregate_nonce)
    with pytest.raises(phalanx.InvalidSignature) as raised:
        session.aggregate([plus(partials[0], 1), *partials[1:]])
    assert raised.value.reason == "invalid_signature"
    assert session.aggregate(partials) == coordinator.aggregate(partials)


def test_a_nonce_signs_once() -> None:
    signers = keys_of(3)
    keys = musig.KeyAggregation([signer.public_key() for signer in signers[:2]])
    nonces = [musig.SecretNonce.generate(signer) for signer in signers]
    session = musig.Session(keys, b"message", public_nonces=[nonce.public_nonce for nonce in nonces[:2]])
    session.sign(nonces[0], signers[0])
    # Where signing fails, the nonce is gone as well.
    with pytest.raises(PhalanxError, match="another key"):
        session.sign(nonces[1], signers[0])
    with pytest.raises(PhalanxError, match="not among"):
        session.sign(nonces[2], signers[2])
    for nonce, signer in zip(nonces, signers):
        with pytest.raises(PhalanxError, match="signs once"):
            session.sign(nonce, signer)
        assert len(nonce.public_nonce) == 66
    assert len({musig.SecretNonce.generate(signers[0], keys=keys, message=b"m").public_nonce for _ in range(9)}) == 9


def test_two_threads_share_no_nonce() -> None:
    signer = keys_of(1)[0]
    keys = musig.KeyAggregation([signer.public_key()])
    for _ in range(50):
        nonce = musig.SecretNonce.generate(signer)
        made: list[bytes] = []

        def sign() -> None:
            session = musig.Session(keys, threading.current_thread().name.encode(), public_nonces=[nonce.public_nonce])
            try:
                made.append(session.sign(nonce, signer))
            except PhalanxError:
                pass

        threads = [threading.Thread(target=sign) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(made) == 1


def test_what_is_used_once_is_not_copied() -> None:
    keys, session, partials = signed(2)
    nonce = musig.SecretNonce.generate(keys_of(1)[0])
    for thing in (nonce, session):
        for copied in (copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="neither copied nor pickled"):
                copied(thing)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError, match="neither copied nor pickled"):
                pickle.dumps(thing, protocol)
        with pytest.raises(AttributeError):
            thing.anything = 1  # type: ignore[union-attr]
    assert repr(nonce).startswith("<phalanx.musig.SecretNonce object at ")
    with pytest.raises(TypeError):
        musig.SecretNonce()
    signature = session.aggregate(partials)
    for again in (session.aggregate, session.verify):
        with pytest.raises(PhalanxError, match="has made its signature"):
            again(partials)
    with pytest.raises(PhalanxError, match="has made its signature"):
        session.sign(nonce, keys_of(1)[0])
    keys.public_key().x_only().verify(signature, b"message")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_signs_with_no_nonce_of_its_parent() -> None:
    signer = keys_of(1)[0]
    keys = musig.KeyAggregation([signer.public_key()])
    nonce = musig.SecretNonce.generate(signer)
    session = musig.Session(keys, b"message", public_nonces=[nonce.public_nonce])
    child = os.fork()
    if child == 0:
        try:
            session.sign(nonce, signer)
        except PhalanxError as wrong:
            os._exit(7 if "another process" in str(wrong) else 1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    keys.public_key().x_only().verify(session.aggregate([session.sign(nonce, signer)]), b"message")


def in_child(count: int) -> bytes:
    _, session, partials = signed(count)
    session.verify(partials)
    return session.aggregate_nonce


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_after_use(method: str) -> None:
    in_child(300)
    with multiprocessing.get_context(method).Pool(2) as pool:
        nonces = [job.get(timeout=120) for job in [pool.apply_async(in_child, (300,)) for _ in range(3)]]
    assert len(set(nonces)) == 3


def test_the_interpreter_goes_on() -> None:
    _, session, partials = signed(600, "portable")
    bad = [plus(partial, 1) for partial in partials]
    ticks, stop = [], threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begin = time.monotonic()
    assert len(culprits(session.verify, bad)) == 600
    end = time.monotonic()
    stop.set()
    ticker.join()
    assert len([moment for moment in ticks if begin < moment < end]) >= 10


def test_the_example_of_the_module() -> None:
    tried = doctest.testmod(musig)
    assert tried.attempted >= 8 and tried.failed == 0
