"""Commitments over the basis of Verkle trees: published ones, every kind of input, and bad input."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import pytest

import phalanx_verkle

pa = pytest.importorskip("pyarrow")

ORDER = 0x1CFB69D4CA675F520CCE760202687600FF8F87007419047174FD06B52876E7E1
# Of the scalars 1, 2, ... 256, and 1 to 5: go-ipa's tests, and the library's.
ALL = bytes.fromhex("294b47ca2d37d5ee18f0c8e2908b8912b18571ac01a7198880c058d4381a8cbd")
FIVE = bytes.fromhex("02b20cd72cc25e9dfea609acd465fda1089c1191aa8c0ad2dc320c32f8ef5abf")


def scalar(number: int) -> bytes:
    return number.to_bytes(32, "little")


@pytest.fixture(scope="module", params=phalanx_verkle.backends())
def each(request: pytest.FixtureRequest) -> phalanx_verkle.VerkleBasis:
    basis = phalanx_verkle.VerkleBasis(backend=request.param)
    assert basis.backend == request.param
    return basis


@pytest.fixture(scope="module")
def basis() -> phalanx_verkle.VerkleBasis:
    return phalanx_verkle.VerkleBasis()


def test_the_basis_is_the_published_one(basis: phalanx_verkle.VerkleBasis) -> None:
    elements = basis.elements().to_list()
    assert len(basis) == len(elements) == 256 and basis.table_bytes > 1 << 26
    assert elements[0] == bytes.fromhex("01587ad1336675eb912550ec2a28eb8923b824b490dd2ba82e48f14590a298a0")
    digest = hashlib.sha256(b"".join(element or b"" for element in elements)).hexdigest()
    assert digest == "1fcaea10bf24f750200e06fa473c76ff0468007291fa548e2d99f09ba9256fdb"


def test_published_sums(each: phalanx_verkle.VerkleBasis) -> None:
    scalars = [scalar(n) for n in range(1, 257)]
    assert each.sum(scalars) == each.commit(scalars) == ALL
    assert each.sum(scalars[:5]) == each.commit(scalars[:5]) == FIVE
    both = each.sums([b"".join(scalars), b"".join(scalars[:5])] * 300, threads=2)
    assert both.to_list() == [ALL, FIVE] * 300


def test_published_commitments(basis: phalanx_verkle.VerkleBasis, shared: Path) -> None:
    file = shared / "vectors" / "verkle" / "pedersen_commitment_test.json"
    if not file.exists():
        pytest.skip("vectors/verkle is not in ../shared: 10 published commitments are not checked")
    vectors = json.loads(file.read_text())
    rows = [b"".join(bytes.fromhex(number[2:]) for number in vector["frs"]) for vector in vectors]
    expected = [bytes.fromhex(vector["commitment"][2:]) for vector in vectors]
    assert len(rows) == 10
    assert basis.sums(rows, mapped=True).to_list() == expected
    assert [basis.sum(cut(row), mapped=True) for row in rows] == expected


def cut(row: bytes) -> list[bytes]:
    return [row[at : at + 32] for at in range(0, len(row), 32)]


# EIP-6800's curve a x^2 + y^2 = 1 + d x^2 y^2 modulo P, to judge images among the scalars.
P = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
A, D = -5, 138827208126141220649022263972958607803 * pow(171449701953573178309673572579671231137, -1, P) % P


def root(square: int) -> int:
    """A square root modulo P, by Tonelli and Shanks; P - 1 is 2^32 times an odd number, and 7 is no square."""
    odd = (P - 1) >> 32
    rest, found, generator = pow(square, odd, P), pow(square, (odd + 1) // 2, P), pow(7, odd, P)
    for place in range(31):
        if pow(rest, 1 << (30 - place), P) != 1:
            found = found * generator % P
            rest = rest * generator * generator % P
        generator = generator * generator % P
    assert found * found % P == square
    return found


def image(element: bytes) -> bytes:
    """The x over the y of either point with this encoding, as a scalar."""
    x = int.from_bytes(element, "big")
    y = root((1 - A * x * x) * pow(1 - D * x * x, -1, P) % P)
    return scalar(x * pow(max(y, P - y), -1, P) % P % ORDER)


def test_rows_of_any_length(each: phalanx_verkle.VerkleBasis) -> None:
    draw = random.Random(1).randrange
    numbers = [[draw(ORDER) for _ in range(length)] for length in (1, 2, 5, 6, 30)]
    numbers += [[draw(1 << 32) for _ in range(length)] for length in (200, 201, 256)]
    numbers += [[], [0] * 256, [0] * 255 + [1], [ORDER - 1], [ORDER - draw(2) - 1 for _ in range(20)]]
    rows = [list(map(scalar, row)) for row in numbers]
    # Without tables and in constant time.
    sums = list(map(each.commit, rows))
    images = list(map(image, sums))
    joined = pa.array([b"".join(row) for row in rows])
    for threads in (1, 2):
        assert each.sums(joined, threads=threads).to_list() == sums
        assert each.sums(joined, threads=threads, mapped=True).to_list() == images
    assert [each.sum(row) for row in rows] == sums
    assert [each.sum(row, mapped=True) for row in rows] == images


class SecretKey:
    """As the package phalanx has it: secp256k1's."""


def test_secret_scalars(basis: phalanx_verkle.VerkleBasis) -> None:
    five = [scalar(n) for n in range(1, 6)]
    numpy = pytest.importorskip("numpy")
    array = numpy.frombuffer(b"".join(five), numpy.uint8).reshape(5, 32)
    for values in (tuple(five), array, pa.array(five, pa.binary(32)), pa.chunked_array([five[:2], five[2:]])):
        assert basis.commit(values) == FIVE
    with pytest.raises(phalanx_verkle.PhalanxError, match="row 1: "):
        basis.commit([five[0], scalar(ORDER)])
    with pytest.raises(phalanx_verkle.PhalanxError, match="row 0: "):
        basis.commit([five[0][1:]])
    with pytest.raises(phalanx_verkle.PhalanxError, match="257 scalars, and 256 elements"):
        basis.commit([five[0]] * 257)
    with pytest.raises(TypeError, match="another group"):
        basis.commit([five[0], SecretKey()])
    with pytest.raises(TypeError, match="row 1: "):
        basis.commit([five[0], 1])


def test_inputs(basis: phalanx_verkle.VerkleBasis) -> None:
    numpy = pytest.importorskip("numpy")
    row = b"".join(scalar(n) for n in range(1, 6))
    array = numpy.frombuffer(row * 1000, numpy.uint8).reshape(1000, 160)
    told: list[tuple[int, int]] = []
    sums = basis.sums(array, progress=lambda done, total: told.append((done, total)))
    assert numpy.asarray(sums).tobytes() == FIVE * 1000 and told[-1] == (1000, 1000)
    assert basis.sum(array[0].reshape(5, 32)) == FIVE
    chunks = pa.chunked_array([[row], [row, row]])
    for values in ([row] * 3, chunks, pa.array([row] * 3, pa.binary(160)), [row.hex()] * 3):
        assert basis.sums(values).to_list() == [FIVE] * 3
    assert len(basis.sums([])) == 0
    assert numpy.asarray(basis.sums([row], mapped=True)).shape == (1, 32)


def test_types_are_of_this_package(basis: phalanx_verkle.VerkleBasis) -> None:
    for kind in (phalanx_verkle.VerkleBasis, phalanx_verkle.Column, phalanx_verkle.PhalanxError):
        assert kind.__module__ == "phalanx_verkle"
    assert isinstance(basis.elements(), phalanx_verkle.Column)


def test_bad_input(basis: phalanx_verkle.VerkleBasis) -> None:
    row = scalar(1)
    assert basis.sums([scalar(ORDER - 1)]).width == 32
    for rows, message in (
        ([row] * 257 + [row + scalar(ORDER)] + [row], "row 257: a scalar is not below the order"),
        ([row, row + b"x"], "row 1: 33 bytes, and a scalar has 32"),
        ([row * 257], "row 0: 257 scalars, and 256 elements"),
        ([row, None], "row 1: null"),
        ([1, 2], "row 0: .*type"),
    ):
        with pytest.raises(phalanx_verkle.PhalanxError, match=message):
            basis.sums(rows)
    for scalars, message in (
        ([row] * 257, "257 scalars, and 256 elements"),
        ([row, row * 2], "row 1: 64 bytes, and a scalar has 32"),
        ([row, b"\xff" * 32], "row 1: a scalar is not below the order"),
    ):
        with pytest.raises(phalanx_verkle.PhalanxError, match=message):
            basis.sum(scalars)
    with pytest.raises(TypeError):
        basis.sums(row)
    with pytest.raises(ValueError, match="threads"):
        basis.sums([row], threads=0)
    with pytest.raises(ValueError, match="abacus"):
        phalanx_verkle.VerkleBasis(backend="abacus")
