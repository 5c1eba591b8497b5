"""Published vectors through the package."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import phalanx

BACKENDS = phalanx.backends()


@pytest.mark.parametrize("backend", BACKENDS)
def test_bip_340(repository: Path, backend: str) -> None:
    with (repository / "testkit" / "vectors" / "bip-0340.csv").open(newline="") as file:
        vectors = list(csv.DictReader(file))
    assert len(vectors) == 19
    table: dict[str, list[Any]] = {
        "scheme": ["schnorr"] * 19,
        "message": [bytes.fromhex(vector["message"]) for vector in vectors],
        "pubkey": [bytes.fromhex(vector["public key"]) for vector in vectors],
        "sig": [bytes.fromhex(vector["signature"]) for vector in vectors],
    }
    expected = [vector["verification result"] == "TRUE" for vector in vectors]
    for verify in (phalanx.verify, phalanx.verify_batch):
        assert verify(table, backend=backend).valid() == expected
    for n, vector in enumerate(vectors):
        if vector["secret key"]:
            secret = phalanx.SecretKey.from_bytes(bytes.fromhex(vector["secret key"]))
            aux = bytes.fromhex(vector["aux_rand"])
            assert secret.x_only_public_key().to_bytes() == table["pubkey"][n]
            assert secret.sign_schnorr(table["message"][n], aux=aux) == table["sig"][n]
            signed = phalanx.sign([table["message"][n]], [secret], scheme="schnorr", aux=[aux], backend=backend)
            assert signed[0] == table["sig"][n]


@pytest.mark.parametrize("backend", BACKENDS)
def test_bip_341(repository: Path, backend: str) -> None:
    vectors = json.loads((repository / "testkit" / "vectors" / "bip-0341-tweaks.json").read_text())
    tweaks, spends = vectors["tweaks"], vectors["spends"]
    assert (len(tweaks), len(spends)) == (7, 7)
    for vector in tweaks:
        internal = phalanx.XOnlyPublicKey.from_bytes(bytes.fromhex(vector["internalPubkey"]))
        tweaked, odd = internal.tweak_add(bytes.fromhex(vector["tweak"]))
        assert tweaked.to_bytes().hex() == vector["tweakedPubkey"]
        assert vector["parity"] in (None, int(odd))
    secrets = []
    for vector in spends:
        secret = phalanx.SecretKey.from_bytes(bytes.fromhex(vector["internalPrivkey"]))
        assert secret.x_only_public_key().to_bytes().hex() == vector["internalPubkey"]
        # The BIP takes the secret key whose point has even y.
        even = secret if secret.public_key().to_bytes()[0] == 2 else secret.negate()
        secrets.append(even.tweak_add(bytes.fromhex(vector["tweak"])))
        assert secrets[-1].to_bytes().hex() == vector["tweakedPrivkey"]
    messages = [bytes.fromhex(vector["sigHash"]) for vector in spends]
    signed = phalanx.sign(messages, secrets, scheme="schnorr", backend=backend)
    expected = [bytes.fromhex(vector["witness"])[:64] for vector in spends]
    assert signed.to_list() == expected


def events(path: Path) -> tuple[list[dict[str, Any]], dict[str, list[Any]]]:
    """Nostr events, and their rows: the id is the hash of the content (NIP-01), which the key has signed."""
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows: dict[str, list[Any]] = {"id": [], "scheme": [], "message": [], "pubkey": [], "sig": []}
    for event in found:
        content = [0, *(event[name] for name in ("pubkey", "created_at", "kind", "tags", "content"))]
        written = json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()
        rows["id"].append(event["id"])
        rows["scheme"].append("schnorr")
        rows["message"].append(hashlib.sha256(written).digest())
        rows["pubkey"].append(event["pubkey"])
        rows["sig"].append(event["sig"])
    return found, rows


def check_events(path: Path, count: int, backend: str) -> None:
    found, rows = events(path)
    assert [message.hex() for message in rows["message"]] == [event["id"] for event in found]
    assert len(found) == count and all(phalanx.verify(rows, backend=backend).valid())
    # Each under the key of its neighbour, unless that is the same.
    moved = {**rows, "pubkey": rows["pubkey"][1:] + rows["pubkey"][:1]}
    expected = [key == other for key, other in zip(rows["pubkey"], moved["pubkey"])]
    assert phalanx.verify(moved, backend=backend).valid() == expected and expected.count(False) > count // 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_nostr_events(sample: Path, backend: str) -> None:
    check_events(sample / "nostr-events.jsonl", 185, backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_more_nostr_events(shared: Path, backend: str) -> None:
    check_events(shared / "data" / "nostr-events.jsonl", 360, backend)


HASHES: dict[str, Callable[[bytes], bytes]] = {
    "SHA-256": lambda message: hashlib.sha256(message).digest(),
    "SHA-512": lambda message: hashlib.sha512(message).digest(),
    "SHA3-256": lambda message: hashlib.sha3_256(message).digest(),
    "SHA3-512": lambda message: hashlib.sha3_512(message).digest(),
    "SHAKE128": lambda message: hashlib.shake_128(message).digest(32),
    "SHAKE256": lambda message: hashlib.shake_256(message).digest(64),
}


@pytest.mark.parametrize("backend", BACKENDS)
def test_wycheproof_ecdsa(shared: Path, backend: str) -> None:
    checked = 0
    for file in sorted((shared / "vectors" / "wycheproof").glob("ecdsa*.json")):
        name, content = file.name, json.loads(file.read_text())
        table: dict[str, list[bytes]] = {"msg_hash": [], "pubkey": [], "sig": []}
        expected = []
        for group in content["testGroups"]:
            for test in group["tests"]:
                table["msg_hash"].append(HASHES[group["sha"]](bytes.fromhex(test["msg"]))[:32])
                table["pubkey"].append(bytes.fromhex(group["publicKey"]["uncompressed"]))
                table["sig"].append(bytes.fromhex(test["sig"]))
                # A signature of this form has 64 bytes, whatever else it may be.
                expected.append(test["result"] == "valid" and ("p1363" not in name or len(table["sig"][-1]) == 64))
        low_s: Any = "require" if "bitcoin" in name else "allow"
        found = phalanx.verify(table, low_s=low_s, backend=backend)
        assert found.valid() == expected, name
        assert "malformed_row" not in found.reasons()
        checked += len(expected)
    assert checked == 4653


# How a public key of secp256k1 begins in a SubjectPublicKeyInfo (RFC 5480), by the bytes of the key.
PREFIXES = {
    65: bytes.fromhex("3056301006072a8648ce3d020106052b8104000a034200"),
    33: bytes.fromhex("3036301006072a8648ce3d020106052b8104000a032200"),
}


@pytest.mark.parametrize("backend", BACKENDS)
def test_wycheproof_ecdh(shared: Path, backend: str) -> None:
    file = shared / "vectors" / "wycheproof" / "ecdh_secp256k1_test.json"
    (group,) = json.loads(file.read_text())["testGroups"]
    tests, keys = group["tests"], []
    for test in tests:
        encoded = bytes.fromhex(test["public"])
        # What stands around keys is the reader's, and here it takes no other forms; what it does not take is no key.
        keys.append(next((encoded[-n:] for n, prefix in PREFIXES.items() if encoded == prefix + encoded[-n:]), b""))
    secrets = [bytes.fromhex(test["private"]).rjust(32, b"\0")[-32:] for test in tests]
    shared_secrets = phalanx.ecdh(keys, secrets, backend=backend)
    counts = {"valid": 0, "acceptable": 0, "invalid": 0}
    for test, key, secret, of_rows in zip(tests, keys, secrets, shared_secrets.to_list()):
        try:
            peer = phalanx.PublicKey.from_bytes(key)
        except phalanx.PhalanxError:
            assert of_rows is None and test["result"] != "valid", test["tcId"]
        else:
            own = phalanx.SecretKey.from_bytes(secret)
            assert of_rows == own.exchange(peer)
            assert test["result"] != "invalid" and own.shared_x(peer).hex() == test["shared"], test["tcId"]
            counts[test["result"]] += 1
    assert len(tests) == 752 and counts == {"valid": 473, "acceptable": 1, "invalid": 0}


def test_wycheproof_ecdh_with_web_keys(shared: Path) -> None:
    # Keys as JSON Web Keys: what stands around them is the reader's.
    file = shared / "vectors" / "wycheproof" / "ecdh_secp256k1_webcrypto_test.json"
    import base64

    def number(text: str) -> bytes:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    checked = 0
    for group in json.loads(file.read_text())["testGroups"]:
        for test in group["tests"]:
            key, secret = test["public"], test["private"]
            try:
                x, y = number(key["x"]), number(key["y"])
                if key.get("crv") != "P-256K" or len(x) != 32 or len(y) != 32:
                    raise ValueError
                peer = phalanx.PublicKey.from_bytes(b"\x04" + x + y)
                own = phalanx.SecretKey.from_bytes(number(secret["d"]).rjust(32, b"\0")[-32:])
                found = own.shared_x(peer).hex()
            except (ValueError, KeyError):
                found = None
            if test["result"] == "valid":
                assert found == test["shared"]
            elif test["result"] == "invalid":
                assert found is None or found != test["shared"] or not test["shared"]
            else:
                assert found in (None, test["shared"])
            checked += 1
    assert checked == 496
