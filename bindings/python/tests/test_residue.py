"""No call leaves a secret in memory: a process makes it and drops what it has, and its memory is searched from outside.

The words looked for are eight bytes each: of the secrets as bytes, as words of a hash, and as limbs of 64, 62 and 52
bits. The library's own operations are searched for by more of their secrets in `testkit/tests/residue`; this is about
what passes through the package. Bytes objects are Python's and not wiped: no child makes one of a secret, but where a
call returns one, and then its words as bytes are not looked for.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import phalanx

np = pytest.importorskip("numpy")
if platform.machine() != "x86_64" or not Path("/proc/self/mem").exists():
    what = "registers are cleared on x86-64 alone, and memory is searched by /proc/PID/mem: no call is searched for remains"
    pytest.skip(what, allow_module_level=True)

ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
PRIME = 2**256 - 2**32 - 977
DIGEST = bytes(range(32))
PEER = phalanx.SecretKey.from_bytes(bytes([9] * 32)).public_key()

# What a child is told: how many keys come, and what it does with them.
CHILD = """
import gc, os, sys, phalanx
rows, threads, operation = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
keys, digest = bytearray(32 * rows), bytes(range(32))
room, at = memoryview(keys), 0
while at < len(keys):
    at += os.readv(0, [room[at:]])
words = [room[32 * row : 32 * row + 32] for row in range(rows)]
secrets = [phalanx.SecretKey.from_bytes(word) for word in words]
peer = phalanx.SecretKey.from_bytes(bytes([9] * 32)).public_key()
digests, peers = [digest] * rows, [peer] * rows
base = phalanx.FixedBase([peer], memory=1 << 16)
for secret, word in zip(secrets, words) if operation.startswith("single") else []:
    exec(sys.argv[4])
if not operation.startswith("single"):
    exec(sys.argv[4])
secret = word = made = None
def searched():
    os.write(1, b".")
    os.read(0, 1)
searched()
for at in range(len(keys)):
    keys[at] = 0
del words[:], secrets[:]
gc.collect()
searched()
"""


def words_of(value: int, as_bytes: bool = True) -> Iterator[int]:
    """The words that tell of a number of 256 bits."""
    for width in (64, 62, 52):
        yield from ((value >> at) & ((1 << width) - 1) for at in range(0, 256, width))
    if as_bytes:
        encoded = value.to_bytes(32, "big")
        yield from (int.from_bytes(encoded[at : at + 8], "little") for at in range(0, 32, 8))
        words = [int.from_bytes(encoded[at : at + 4], "big") for at in range(0, 32, 4)]
        yield from (low | high << 32 for low, high in zip(words, words[1:]))


def tells(word: int) -> bool:
    """Whether a word has enough of a secret in it that it stands nowhere by chance."""
    return word >> 40 > 0 and (word ^ word >> 1).bit_count() >= 12 and word & 0xFFFFFF not in (0, 0xFFFFFF)


def nonce_of_rfc6979(key: bytes) -> int:
    value, code = bytes([1] * 32), bytes(32)
    for separator in (b"\0", b"\1"):
        code = hmac.digest(code, value + separator + key + DIGEST, "sha256")
        value = hmac.digest(code, value, "sha256")
    return int.from_bytes(hmac.digest(code, value, "sha256"), "big")


def tagged(tag: str, data: bytes) -> bytes:
    start = hashlib.sha256(tag.encode()).digest() * 2
    return hashlib.sha256(start + data).digest()


def scalar(value: int) -> Iterator[int]:
    """A number, its negative and its inverse."""
    for number in (value, ORDER - value, pow(value, -1, ORDER)):
        yield from words_of(number % ORDER)


def of_keys(key: bytes) -> Iterator[int]:
    yield from scalar(int.from_bytes(key, "big"))


def of_ecdsa(key: bytes) -> Iterator[int]:
    yield from of_keys(key)
    yield from scalar(nonce_of_rfc6979(key))


def of_schnorr(key: bytes) -> Iterator[int]:
    yield from of_keys(key)
    public = phalanx.SecretKey.from_bytes(key).public_key().to_bytes()
    value = int.from_bytes(key, "big")
    even = value if public[0] == 2 else ORDER - value
    masked = (even ^ int.from_bytes(tagged("BIP0340/aux", bytes(32)), "big")).to_bytes(32, "big")
    yield from words_of(int.from_bytes(masked, "big"))
    nonce = int.from_bytes(tagged("BIP0340/nonce", masked + public[1:] + DIGEST), "big")
    yield from words_of(nonce)
    yield from scalar(nonce % ORDER)


def of_ecdh(key: bytes, x_as_bytes: bool = True, hash_as_bytes: bool = True) -> Iterator[int]:
    yield from of_keys(key)
    point = PEER.tweak_mul(key)
    encoded = point.to_bytes(compressed=False)
    yield from words_of(int.from_bytes(encoded[1:33], "big"), x_as_bytes)
    yield from words_of(int.from_bytes(encoded[33:], "big"))
    yield from words_of(int.from_bytes(hashlib.sha256(point.to_bytes()).digest(), "big"), hash_as_bytes)


def of_tweaks(key: bytes) -> Iterator[int]:
    value, tweak = int.from_bytes(key, "big"), int.from_bytes(DIGEST, "big")
    for number in (value, (value + tweak) % ORDER, value * tweak % ORDER):
        yield from scalar(number)


def tweak_of(key: bytes, k: int, label: int | None = None) -> int:
    """What the output of this number is tweaked by, where PEER is the tweak point."""
    shared = PEER.tweak_mul(key).to_bytes()
    tweak = int.from_bytes(tagged("BIP0352/SharedSecret", shared + k.to_bytes(4, "big")), "big")
    return (tweak + (0 if label is None else label_tweak(key, label))) % ORDER


def label_tweak(key: bytes, label: int) -> int:
    return int.from_bytes(tagged("BIP0352/Label", key + label.to_bytes(4, "big")), "big")


def of_scan(key: bytes) -> Iterator[int]:
    yield from of_ecdh(key)
    for label in (0, 1):
        yield from scalar(label_tweak(key, label))
    for k, paid in ((0, None), (1, 1), (1, None), (2, None)):
        yield from scalar(tweak_of(key, k, paid))


def scan(keys: list[bytes], _: Path) -> str:
    """Scans of rows that pay each key twice, the second time with a label, by several threads."""
    tweaks = [[tweak_of(key, 0), tweak_of(key, 1, 1)] for key in keys]
    outputs = [[PEER.tweak_add(tweak.to_bytes(32, "big")).x_only().to_bytes() for tweak in two] for two in tweaks]
    return f"""
import pyarrow as pa
mine = {outputs}[secrets.index(secret)]
outputs = pa.array([mine, *[[]] * 2000, mine], pa.list_(pa.binary()))
index = {{"tweak_key": [peer] * 2002, "outputs": outputs}}
made = pa.table(phalanx.scan(index, [phalanx.Scanner(word, peer, [1]), phalanx.Scanner(secret, peer, [1])], threads=2))
assert len(made) == 8, made
"""


def of_files(key: bytes) -> Iterator[int]:
    yield from of_keys(key)
    digits = key.hex().encode()
    yield from (int.from_bytes(digits[at : at + 8], "little") for at in range(0, 64, 8))


def files(keys: list[bytes], folder: Path) -> str:
    for number, key in enumerate(keys):
        (folder / str(number)).write_text(key.hex())
    place = f"{str(folder)!r} + '/' + str(secrets.index(secret))"
    return f"made = phalanx.SecretKey.from_file({place}); assert made == secret"


Program = str | Callable[[list[bytes], Path], str]
OPERATIONS: dict[str, tuple[Callable[[bytes], Iterator[int]], Program]] = {
    "single keys": (of_keys, "made = secret.public_key(), secret.x_only_public_key(), secret == secrets[0]"),
    "single copies": (of_keys, "made = secret.allow_pickling(), secret.__copy__(), phalanx.SecretKey.from_bytes(word)"),
    "single tweaks": (of_tweaks, "made = secret.tweak_add(digest), secret.tweak_mul(digest), secret.negate()"),
    "single ecdsa": (of_ecdsa, "made = secret.sign(digest), secret.sign_recoverable(digest)"),
    "single schnorr": (of_schnorr, "made = secret.sign_schnorr(digest), secret.sign_schnorr(digest, aux=bytes(32))"),
    "single exchange": (lambda key: of_ecdh(key, hash_as_bytes=False), "made = secret.exchange(peer)"),
    "single x": (lambda key: of_ecdh(key, x_as_bytes=False), "made = secret.shared_x(peer)"),
    "public keys": (of_keys, "made = phalanx.public_keys(secrets, threads=threads)"),
    "public keys of memory": (
        of_keys,
        "made = phalanx.public_keys(words, threads=threads), "
        "phalanx.public_keys(room.cast('B', [rows, 32]), threads=threads)",
    ),
    "bulk ecdsa": (of_ecdsa, "made = phalanx.sign(digests, secrets, threads=threads)"),
    "bulk recoverable": (of_ecdsa, "made = phalanx.sign(digests, words, recoverable=True, threads=threads)"),
    "bulk schnorr": (of_schnorr, "made = phalanx.sign(digests, secrets, scheme='schnorr', threads=threads)"),
    "bulk ecdh": (of_ecdh, "made = phalanx.ecdh(peers, secrets, threads=threads); memoryview(made).release()"),
    "refused": (
        of_keys,
        "import contextlib\nwith contextlib.suppress(ValueError): phalanx.sign(digests, [*words[1:], bytearray(32)])\n"
        "with contextlib.suppress(ValueError): phalanx.SecretKey.from_bytes(room[:31])",
    ),
    "single files": (of_files, files),
    "single scan": (of_scan, scan),
    "commitments": (of_keys, "made = base.commit(secrets[:1]), base.commit(words[:1])"),
    "single musig": (
        of_keys,
        "both = phalanx.musig.KeyAggregation([secret.public_key(), peer])\n"
        "made = phalanx.musig.SecretNonce.generate(secret, keys=both, message=digest)\n"
        "publics = [made.public_nonce, peer.to_bytes() * 2]\n"
        "phalanx.musig.Session(both, digest, public_nonces=publics).sign(made, secret)",
    ),
    "single frost": (
        of_keys,
        "group = phalanx.frost.Group('taproot', 1, secret.public_key(), {1: secret.public_key()})\n"
        "made = share = phalanx.frost.KeyShare(group, 1, secret)\n"
        "made = phalanx.frost.Nonces.generate(share)\n"
        "phalanx.frost.Session(group, {1: made.commitments}, digest).sign(made, share)\n"
        "share = None",
    ),
}


def memory(process: subprocess.Popen[bytes]) -> Iterator[tuple[int, bytes, str]]:
    """The parts of memory that the process can write to: where each begins, what it holds, and its name."""
    with open(f"/proc/{process.pid}/mem", "rb", buffering=0) as held:
        for line in Path(f"/proc/{process.pid}/maps").read_text().splitlines():
            place, access, *rest = line.split()
            start, end = (int(part, 16) for part in place.split("-"))
            if not access.startswith("rw"):
                continue
            try:
                yield start, os.pread(held.fileno(), end - start, start), rest[-1] if len(rest) > 3 else ""
            except PermissionError:
                process.kill()
                pytest.skip("this system lets nobody read another process's memory")
            except OSError:
                continue  # It is not backed by memory that could be read.


def searched(process: subprocess.Popen[bytes], needles: list[int]) -> list[str]:
    """Where in the memory that the process can write to a needle stands, at any byte."""
    wanted = np.array(sorted(set(needles)), np.uint64)
    few = np.zeros(1 << 24, bool)
    few[(wanted * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)] = True
    hits = []
    for start, held, name in memory(process):
        for offset in range(8):
            words = np.frombuffer(held, np.uint64, (len(held) - offset) // 8, offset)
            maybe = np.flatnonzero(few[(words * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)])
            found = maybe[np.isin(words[maybe], wanted)]
            hits += [f"{start + offset + 8 * int(at):x}, {name}" for at in found]
    return hits


def run(operation: str, rows: int, threads: int, folder: Path) -> tuple[list[str], list[str]]:
    """What is found while the secrets are there, and when they are gone."""
    secrets, program = OPERATIONS[operation]
    keys = [hashlib.sha256(os.urandom(32)).digest() for _ in range(rows)]
    # Some rows stand for all: the first and the last of what is computed together, and others between them.
    some = {*keys[::97], *keys[1022:1026], keys[-1]}
    needles = [word for key in some for word in secrets(key) if tells(word)]
    text = program if isinstance(program, str) else program(keys, folder)
    arguments = [sys.executable, "-c", CHILD, str(rows), str(threads), operation, text]
    # Other pools of pyarrow reserve a gigabyte, all of which would be searched.
    environment = {**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system"}
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0, "env": environment}
    with subprocess.Popen(arguments, **pipes) as process:
        assert process.stdin is not None and process.stdout is not None
        whole = b"".join(keys)
        while whole:
            whole = whole[process.stdin.write(whole) or 0 :]
        found = []
        for _ in range(2):
            assert process.stdout.read(1) == b".", "the child has failed"
            found.append(searched(process, needles))
            process.stdin.write(b".")
    return found[0], found[1]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_no_secret_remains(operation: str, tmp_path: Path) -> None:
    # A single call may leave what a later one overwrites, and threads have work from 1,025 rows on.
    for rows, threads in [(1, 1), (20, 1)] if operation.startswith("single") else [(20, 1), (1100, 2)]:
        live, left = run(operation, rows, threads, tmp_path)
        assert live, "the search did not find the inputs"
        assert not left, f"{rows} rows, {threads} threads: {len(left)} words remain: {left[:8]}"


# Nonces that are dropped, that sign, and that fail to sign.
NONCES = """
import contextlib, gc, os, phalanx
from phalanx import frost, musig
def told(data):
    os.write(1, data)
    os.read(0, 1)
secret, other = phalanx.SecretKey.generate(), phalanx.SecretKey.generate()
key = secret.public_key()
keys, group = musig.KeyAggregation([key]), frost.Group("taproot", 1, key, {1: key})
share = frost.KeyShare(group, 1, secret)
ours = [musig.SecretNonce.generate(secret, keys=keys, message=b"message") for _ in range(6)]
theirs = [frost.Nonces.generate(share) for _ in range(6)]
told(b"".join([nonce.public_nonce for nonce in ours] + [nonces.commitments for nonces in theirs]))
for number, nonce in enumerate(ours[1:]):
    session = musig.Session(keys, b"message", public_nonces=[nonce.public_nonce])
    with contextlib.suppress(phalanx.PhalanxError):
        session.sign(nonce, secret if number else other)
for number, nonces in enumerate(theirs[1:]):
    session = frost.Session(group, {1: theirs[number + bool(number)].commitments}, b"message")
    with contextlib.suppress(phalanx.PhalanxError):
        session.sign(nonces, share)
nonce = nonces = None
del ours[:], theirs[:]
gc.collect()
told(b".")
"""


def numbers_of(process: subprocess.Popen[bytes], x_coordinates: set[bytes]) -> list[int]:
    """The numbers in memory, each of four words, whose points have these x coordinates."""
    numbers = []
    for _, held, _ in memory(process):
        words = np.frombuffer(held, np.uint64, len(held) // 8)
        # Neither zeros nor pointers.
        large = words >> np.uint64(48) > 0
        places = np.flatnonzero(large[:-3] & large[1:-2] & large[2:-1] & large[3:])
        numbers.append(np.stack([words[places + at] for at in (3, 2, 1, 0)], 1))
    distinct = np.unique(np.concatenate(numbers), axis=0)
    below_the_order = distinct[distinct[:, 0] < np.uint64(2**64 - 1)]
    encoded = np.ascontiguousarray(below_the_order.astype(">u8")).view(np.uint8).reshape(-1, 32)
    points = phalanx.public_keys(encoded).to_list()
    return [int.from_bytes(number, "big") for number, key in zip(encoded, points) if key and key[1:] in x_coordinates]


def test_no_secret_nonce_remains() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", NONCES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        publics = b""
        while len(publics) < 12 * 66:
            publics += process.stdout.read(12 * 66 - len(publics)) or pytest.fail("the child has failed")
        # Nobody but the process knows its nonces: they are found by their points, while they are there.
        nonces = numbers_of(process, {publics[at + 1 : at + 33] for at in range(0, len(publics), 33)})
        assert len(nonces) == 24, "the search did not find the nonces"
        needles = [word for nonce in nonces for word in scalar(nonce) if tells(word)]
        process.stdin.write(b".")
        assert process.stdout.read(1) == b".", "the child has failed"
        left = searched(process, needles)
        process.stdin.write(b".")
        assert not left, f"{len(left)} words remain: {left[:8]}"
