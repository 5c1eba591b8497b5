"""Keys and signatures, and calls on many of them."""

from __future__ import annotations

import copy
import hashlib
import hmac
import pickle
import sys
from typing import Any

import pytest

import phalanx
from phalanx import PublicKey, SecretKey, Signature, XOnlyPublicKey

ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
BACKENDS = phalanx.backends()


def secret(n: int) -> SecretKey:
    return SecretKey.from_bytes(n.to_bytes(32, "big"))


def test_a_secret_key_is_silent() -> None:
    key = secret(0x1122334455)
    for text in (repr(key), str(key), f"{key}", repr([key])):
        assert "1122334455" not in text and "SecretKey(..)" in text
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="not pickled"):
            pickle.dumps(key, protocol)
    kept = key.allow_pickling()
    assert repr(kept) == "SecretKey(..)"
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(kept, protocol))
        assert back == key and pickle.loads(pickle.dumps(back, protocol)) == key
    assert copy.copy(key) is key and copy.deepcopy([key])[0] is key
    with pytest.raises(TypeError, match="unhashable"):
        hash(key)
    assert key == secret(0x1122334455) and key != secret(1) and key != 5
    with pytest.raises((TypeError, AttributeError)):
        key.anything = 1  # type: ignore[attr-defined]


def test_secrets_that_the_caller_can_wipe() -> None:
    given = bytearray((7).to_bytes(32, "big"))
    for data in (given, memoryview(given)):
        assert SecretKey.from_bytes(data) == secret(7)
    keys = [given, memoryview(given), secret(7)]
    assert phalanx.public_keys(keys).to_list() == [secret(7).public_key().to_bytes()] * 3
    assert phalanx.sign([bytes(32)], [given]).to_list() == [secret(7).sign(bytes(32)).to_compact()]
    base = phalanx.FixedBase([secret(1).public_key().to_bytes()])
    assert base.commit([given]) == secret(7).public_key().to_bytes()
    given[:] = bytes(32)
    with pytest.raises(phalanx.PhalanxError, match="secret key"):
        SecretKey.from_bytes(given)
    bad: list[Any] = [bytearray(31), "7" * 32, memoryview(bytes(64)).cast("B", (2, 32)), 7, None]
    for other in bad:
        with pytest.raises((TypeError, phalanx.PhalanxError)):
            SecretKey.from_bytes(other)


def test_public_objects_travel() -> None:
    key = secret(7)
    for thing in (key.public_key(), key.x_only_public_key(), key.sign(bytes(32))):
        assert pickle.loads(pickle.dumps(thing)) == thing
        assert len({thing, copy.deepcopy(thing)}) == 1
    assert sorted([secret(n).public_key() for n in (1, 2, 3)])[0].to_bytes()[0] == 2


def test_generator() -> None:
    generator = secret(1).public_key()
    assert generator.to_bytes().hex() == "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    assert repr(generator) == f"PublicKey({generator.to_bytes().hex()})"
    assert len(generator.to_bytes(compressed=False)) == 65
    assert PublicKey.from_bytes(generator.to_bytes(compressed=False)) == generator
    assert generator.address().hex() == "7e5f4552091a69125d5dfcb7b8c2659029395bdf"
    assert generator.negate() == secret(ORDER - 1).public_key() == secret(1).negate().public_key()
    assert PublicKey.combine([generator, generator]) == secret(2).public_key()
    tweak = (5).to_bytes(32, "big")
    assert generator.tweak_add(tweak) == secret(6).public_key() == secret(1).tweak_add(tweak).public_key()
    assert generator.tweak_mul(tweak) == secret(5).public_key() == secret(1).tweak_mul(tweak).public_key()
    x_only, _ = generator.x_only().tweak_add(tweak)
    assert x_only.to_bytes() == secret(6).public_key().to_bytes()[1:]
    assert XOnlyPublicKey.from_bytes(generator.to_bytes()[1:]).public_key() == generator


def test_ecdsa() -> None:
    key, digest = secret(7), hashlib.sha256(b"message").digest()
    signature = key.sign(digest)
    key.public_key().verify(signature, digest)
    key.public_key().verify(signature, digest, low_s="require")
    assert Signature.from_der(signature.to_der()) == Signature.from_compact(signature.to_compact()) == signature
    assert signature.to_compact() == signature.r.to_bytes(32, "big") + signature.s.to_bytes(32, "big")
    high = Signature.from_compact(signature.to_compact()[:32] + (ORDER - signature.s).to_bytes(32, "big"))
    assert high.is_high_s and not signature.is_high_s and high.normalize_s() == signature
    key.public_key().verify(high, digest)
    for wrong, message, policy, reason in [
        (high, digest, "require", "high_s"),
        (signature, bytes(32), "allow", "invalid_signature"),
    ]:
        with pytest.raises(phalanx.InvalidSignature) as raised:
            key.public_key().verify(wrong, message, low_s=policy)
        assert raised.value.reason == reason
    with pytest.raises(ValueError, match="low_s"):
        key.public_key().verify(signature, digest, low_s="maybe")
    with pytest.raises(phalanx.PhalanxError, match="digest"):
        key.public_key().verify(signature, b"short")
    assert Signature.from_der(signature.to_der() + b"\0", lax=True) == signature
    with pytest.raises(phalanx.PhalanxError) as failed:
        Signature.from_der(signature.to_der() + b"\0")
    assert failed.value.reason == "bad_signature_encoding"
    recoverable, recovery_id = key.sign_recoverable(digest)
    assert recoverable == signature and signature.recover(digest, recovery_id) == key.public_key()
    with pytest.raises(phalanx.PhalanxError):
        signature.recover(digest, 4)
    with pytest.raises(OverflowError):
        signature.recover(digest, 256)


def test_schnorr() -> None:
    key = secret(7)
    for message in (b"", b"message", bytes(1000)):
        signature = key.sign_schnorr(message, aux=bytes(32))
        assert signature == key.sign_schnorr(message)
        key.x_only_public_key().verify(signature, message)
        with pytest.raises(phalanx.InvalidSignature):
            key.x_only_public_key().verify(signature, message + b"x")
    with pytest.raises(phalanx.PhalanxError):
        key.x_only_public_key().verify(b"short", b"message")
    with pytest.raises(ValueError, match="aux"):
        key.sign_schnorr(b"", aux=b"short")


def test_exchange() -> None:
    mine, theirs = secret(7), secret(8)
    assert mine.exchange(theirs.public_key()) == theirs.exchange(mine.public_key())
    point = secret(56).public_key().to_bytes()
    assert mine.exchange(theirs.public_key()) == hashlib.sha256(point).digest()
    assert mine.shared_x(theirs.public_key()) == point[1:]


def test_bad_keys() -> None:
    for data in (b"", bytes(32), bytes([255] * 32), bytes(31), bytes(33)):
        with pytest.raises(phalanx.PhalanxError, match="secret key") as raised:
            SecretKey.from_bytes(data)
        assert data.hex() == "" or data.hex() not in str(raised.value)
    for data in (b"", bytes(33), bytes([2] + [255] * 32), bytes(65)):
        with pytest.raises(phalanx.PhalanxError) as failed:
            PublicKey.from_bytes(data)
        assert failed.value.reason == "bad_public_key"
    with pytest.raises(TypeError):
        SecretKey.from_bytes("text")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        SecretKey()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("threads", [1, 3])
def test_bulk_calls_are_the_single_ones(backend: str, threads: int) -> None:
    options: Any = {"backend": backend, "threads": threads}
    keys = [secret(n) for n in range(1, 2500)]
    digests = [hashlib.sha256(bytes([n % 256, n // 256])).digest() for n in range(1, 2500)]
    publics = phalanx.public_keys(keys, **options)
    assert publics.to_list() == [key.public_key().to_bytes() for key in keys]
    signed = phalanx.sign(digests, keys, **options)
    assert signed.to_list() == [key.sign(digest).to_compact() for key, digest in zip(keys, digests)]
    some = slice(0, 40)
    recoverable = phalanx.sign(digests[some], keys[some], recoverable=True, **options)
    for key, digest, row in zip(keys, digests, recoverable.to_list()):
        signature, recovery_id = key.sign_recoverable(digest)
        assert row == signature.to_compact() + bytes([recovery_id])
    found = phalanx.recover({"msg_hash": digests[some], "sig": recoverable}, **options)
    assert all(found.valid())
    messages = [bytes(n % 100) for n in range(1, 2500)]
    schnorr = phalanx.sign(messages, keys, scheme="schnorr", **options)
    assert schnorr.to_list() == [key.sign_schnorr(message) for key, message in zip(keys, messages)]
    shared = phalanx.ecdh([secret(5).public_key()] * len(keys), keys, **options)
    assert shared.to_list() == [key.exchange(secret(5).public_key()) for key in keys]


@pytest.mark.parametrize("backend", BACKENDS)
def test_operations_by_name(backend: str) -> None:
    keys = [SecretKey.from_bytes(bytes([7] * 31 + [n])) for n in range(1, 40)]
    publics = [key.public_key() for key in keys]
    digests = [bytes([n] * 32) for n in range(1, 40)]
    known = phalanx.operations()
    assert {"public_keys", "sign_ecdsa", "sign_schnorr", "shared_secrets", "tweak_add_public", "recover"} <= set(known)
    assert "verify_ecdsa" not in known and "tweaks (32 bytes)" in known["tweak_add_public"]

    # Keys of both forms, and one of neither.
    encoded: list[bytes | None] = [key.to_bytes(compressed=n % 3 > 0) for n, key in enumerate(publics)]
    encoded[5], encoded[6], encoded[7] = bytes(33), b"short", None
    tweaks = [bytes([255] * 32) if n == 9 else digest for n, digest in enumerate(digests)]
    tweaked = phalanx.compute("tweak_add_public", encoded, tweaks, backend=backend).to_list()
    for n, found in enumerate(tweaked):
        none = n in (5, 6, 7, 9)
        assert found == (None if none else publics[n].tweak_add(tweaks[n]).to_bytes()), n

    rows = phalanx.compute("sign_ecdsa", digests, keys, optional_outputs=True, backend=backend).to_list()
    signed = [row or b"" for row in rows]
    columns = digests, [row[:64] for row in signed], [row[64:] for row in signed]
    recovered = phalanx.compute("recover", *columns, backend=backend).to_list()
    assert recovered == [key.to_bytes() for key in publics]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("payload", ["none", "taproot_key"])
def test_children_by_name(backend: str, payload: Any) -> None:
    parents = [secret(n // 4 + 1).public_key() for n in range(40)]
    codes = [bytes([n // 5] * 32) for n in range(40)]
    indices = [n | (n % 9 == 8) << 31 for n in range(40)]
    keys, encoded = [key.to_bytes() for key in parents], [index.to_bytes(4, sys.byteorder) for index in indices]
    keys[7] = bytes(33)
    found = phalanx.compute("derive_children", keys, codes, encoded, payload=payload, backend=backend).to_list()
    for n, (parent, code, index) in enumerate(zip(parents, codes, indices)):
        if n == 7 or n % 9 == 8:
            assert found[n] is None, n
            continue
        mac = hmac.digest(code, parent.to_bytes() + index.to_bytes(4, "big"), "sha512")
        child = parent.tweak_add(mac[:32])
        expected = child.to_bytes() + mac[32:]
        if payload == "taproot_key":
            x = child.to_bytes()[1:]
            tweak = hashlib.sha256(hashlib.sha256(b"TapTweak").digest() * 2 + x).digest()
            expected += PublicKey.from_bytes(b"\x02" + x).tweak_add(tweak).to_bytes()[1:]
        assert found[n] == expected, n
    with pytest.raises(ValueError, match="payload"):
        phalanx.compute("derive_children", keys, codes, encoded, payload="script")  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", BACKENDS)
def test_sums(backend: str) -> None:
    count = 3000
    scalars = [n.to_bytes(32, "big") for n in range(count)]
    points = [secret(n + 1).public_key().to_bytes() for n in range(count)]
    expected = secret(sum(n * (n + 1) for n in range(count))).public_key().to_bytes()
    for threads in (1, 2, 5):
        found = phalanx.sum_of_products({"scalar": scalars, "point": points}, backend=backend, threads=threads)
        assert found == expected
    with_infinity = {"scalar": scalars[:3], "point": [points[0], bytes(33), points[2]]}
    assert phalanx.sum_of_products(with_infinity, backend=backend) == secret(6).public_key().to_bytes()
    base = phalanx.FixedBase(points[:8], memory=1 << 18, backend=backend)
    expected = secret(sum(n * (n + 1) for n in range(8))).public_key().to_bytes()
    assert base.sum(scalars[:8]) == base.commit(scalars[:8]) == expected
    assert len(base) == 8 and 0 < base.table_bytes <= 1 << 18
    many = base.sums([b"".join(scalars[:8]), b"".join(scalars[:3]), bytes(256)], threads=2)
    assert many.to_list() == [expected, base.sum(scalars[:3]), bytes(33)]


def test_a_column_is_a_table_of_bytes() -> None:
    column = phalanx.public_keys([secret(n) for n in range(1, 6)])
    view = memoryview(column)
    assert (view.shape, view.strides, view.readonly, view.format) == ((5, 33), (33, 1), True, "B")
    assert bytes(column) == view.tobytes() == b"".join(column.to_list())  # type: ignore[arg-type]
    del column
    assert view[4, 0] in (2, 3)
    column = phalanx.public_keys([secret(1)])
    assert column[0] == column[-1] == secret(1).public_key().to_bytes()
    for row in (1, -2):
        with pytest.raises(IndexError):
            column[row]
    assert len(memoryview(phalanx.public_keys([]))) == 0
    numpy = pytest.importorskip("numpy")
    array = numpy.asarray(phalanx.public_keys([secret(n) for n in range(1, 6)]))
    assert array.shape == (5, 33) and not array.flags.owndata
    with pytest.raises(ValueError):
        array[0, 0] = 1
