"""Children of extended keys: published vectors, ranges, what is refused, and the command's answers."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from test_verdicts import command

import phalanx

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

BACKENDS = phalanx.backends()

# Parents and children of BIP-32's test vectors 1 and 2, as far as the steps between them are not hardened.
VECTORS = [
    (
        "xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw",
        1,
        "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ",
    ),
    (
        "xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5",
        2,
        "xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV",
    ),
    (
        "xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV",
        1_000_000_000,
        "xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy",
    ),
    (
        "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB",
        0,
        "xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH",
    ),
    (
        "xpub6ASAVgeehLbnwdqV6UKMHVzgqAG8Gr6riv3Fxxpj8ksbH9ebxaEyBLZ85ySDhKiLDBrQSARLq1uNRts8RuJiHjaDMBU4Zn9h8LZNnBC5y4a",
        1,
        "xpub6DF8uhdarytz3FWdA8TvFSvvAh8dP3283MY7p2V4SeE2wyWmG5mg5EwVvmdMVCQcoNJxGoWaU9DCWh89LojfZ537wTfunKau47EL2dhHKon",
    ),
]
# The accounts of BIP-84's and BIP-86's examples, and their receiving addresses 0 and 1 and their change address 0.
ACCOUNT = (
    "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V"
)
ADDRESSES: list[tuple[str, Any, list[str]]] = [
    (
        ACCOUNT,
        "p2wpkh",
        [
            "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
            "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g",
            "bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el",
        ],
    ),
    (
        "xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ",
        "p2tr",
        [
            "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
            "bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh",
            "bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7",
        ],
    ),
]
SECRET = (
    "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi"
)


def public_key(text: str) -> bytes:
    """The public key in an extended one: in Base58, before a checksum of four bytes."""
    number = 0
    for digit in text:
        number = number * 58 + "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".index(digit)
    return number.to_bytes(82, "big")[45:78]


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_vectors_of_bip_32(backend: str) -> None:
    for parent, index, child in VECTORS:
        found = pa.table(phalanx.derive(parent, range(index, index + 1), backend=backend)).to_pylist()
        assert found == [{"key": 0, "index": index, "public_key": public_key(child)}]
        # Among others, which stand in other lanes.
        found = pa.table(phalanx.derive([ACCOUNT, parent], range(max(index - 9, 0), index + 9), backend=backend))
        of_parent = {row["index"]: row["public_key"] for row in found.to_pylist() if row["key"] == 1}
        assert of_parent[index] == public_key(child) and len(of_parent) == min(index, 9) + 9


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_addresses_of_the_bips(backend: str) -> None:
    for account, address, expected in ADDRESSES:
        for path, wanted in (("m/0", expected[:2]), ("1", expected[2:])):
            found = phalanx.derive(account, range(len(wanted)), path=path, address=address, backend=backend)
            assert found.column_names == ["key", "index", "public_key", "script", "address"]
            assert pa.table(found)["address"].to_pylist() == wanted


def test_many_keys_and_threads() -> None:
    """More children than are derived together, of keys that share pieces."""
    parents = [parent for parent, _, _ in VECTORS] * 30
    for count in (1, 70, 5000):
        some = parents[: 150 if count < 5000 else 3]
        told: list[tuple[int, int]] = []
        whole = phalanx.derive(some, range(7, 7 + count), threads=2, progress=lambda *done: told.append(done))
        assert len(whole) == len(some) * count and told[-1] == (len(whole), len(whole))
        table = pa.table(whole)
        assert table["key"].to_pylist() == [key for key in range(len(some)) for _ in range(count)]
        assert table["index"].to_pylist() == [*range(7, 7 + count)] * len(some)
        alone = [pa.table(phalanx.derive(parent, range(7, 7 + count), threads=1)) for parent in some[:3]]
        for key, child in enumerate(alone):
            assert child["public_key"].to_pylist() == table["public_key"].to_pylist()[key * count : (key + 1) * count]
        assert len(set(table["public_key"].to_pylist())) == min(len(some), len(VECTORS)) * count


def test_no_children() -> None:
    for keys, indexes in [([], range(3)), (ACCOUNT, range(0)), (ACCOUNT, range(5, 2)), ([], range(-1, -1))]:
        found = phalanx.derive(keys, indexes, address="p2tr")
        assert len(found) == 0 and pa.table(found).column_names == found.column_names
    assert repr(phalanx.derive(ACCOUNT, range(2))) == "<phalanx.Children: 2 of key, index, public_key>"


def test_keys_are_read_as_wallets_write_them() -> None:
    expected = pa.table(phalanx.derive(ACCOUNT, range(3), path="m/0", address="p2wpkh"))
    for key in [f"[d34db33f/84h/0h/0h]{ACCOUNT}/0/*", f"wpkh([d34db33f/84'/0'/0']{ACCOUNT}/0/*)", f"{ACCOUNT}/0/*\r\n"]:
        assert pa.table(phalanx.derive(key, range(3), address="p2wpkh")) == expected
    for key, said in [
        (f"wpkh({ACCOUNT}/0/*)#aaaaaaaa", "row 0: the checksum behind the descriptor is wrong"),
        (f"tr({ACCOUNT}/0/*)", "row 0: is for p2tr addresses"),
        (f"wpkh({SECRET}/0/*)", "row 0: an extended secret key, where a public one"),
        (f"{ACCOUNT}/0", "row 0: stands for one key"),
    ]:
        with pytest.raises(phalanx.PhalanxError, match=said) as raised:
            phalanx.derive(key, range(3), address="p2wpkh")
        assert SECRET[4:] not in str(raised.value)


def test_what_is_refused() -> None:
    last = (1 << 31) - 1
    assert len(phalanx.derive(ACCOUNT, range(last, last + 1))) == 1
    for indexes in (range(-1, 3), range(0, 4, 2), range(3, 0, -1), range(last, last + 2), range(1 << 70, 1 << 71)):
        with pytest.raises(ValueError, match="indexes: a range of step 1"):
            phalanx.derive(ACCOUNT, indexes)
    keys: list[tuple[Any, str]] = [
        (SECRET, "row 0: an extended secret key, where a public one"),
        ([ACCOUNT] * 100 + [SECRET.replace("xprv", "tprv")], "row 100: not an extended key: the checksum"),
        ([ACCOUNT, ACCOUNT[:-1] + "W"], "row 1: not an extended key: the checksum"),
        ("", "row 0: not an extended key"),
        ("x" * (1 << 20), "row 0: not an extended key"),
    ]
    for key, said in keys:
        with pytest.raises(phalanx.PhalanxError, match=said) as raised:
            phalanx.derive(key, range(3))
        assert SECRET[4:] not in str(raised.value) and len(str(raised.value)) < 120
    with pytest.raises(phalanx.PhalanxError, match="row 0: a hardened child"):
        phalanx.derive(ACCOUNT, range(3), path="m/0h")
    for options, said in [
        ({"path": "0//1"}, "path: "),
        ({"address": "p2wsh"}, "address: "),
        ({"network": "signet"}, "network: "),
        ({"backend": "none"}, "backend"),
    ]:
        with pytest.raises(ValueError, match=said):
            phalanx.derive(ACCOUNT, range(3), **options)  # type: ignore[arg-type]
    for wrong in (b"xpub", [b"xpub"], [None], 7):
        with pytest.raises(TypeError):
            phalanx.derive(wrong, range(3))  # type: ignore[arg-type]


@pytest.mark.parametrize("address", [None, "p2pkh", "p2sh-p2wpkh", "p2wpkh", "p2tr"])
@pytest.mark.parametrize("network", [None, "main", "test", "regtest"])
def test_the_command_says_the_same(repository: Path, tmp_path: Path, address: Any, network: Any) -> None:
    keys = [parent for parent, _, _ in VECTORS]
    out = tmp_path / "out.parquet"
    run: list[Any] = [command(repository), "derive", *keys, "--range", "5..1204", "--path", "m/3", "--out", out]
    run += ["--json", "-q"]
    run += ["--address", address] if address else []
    run += ["--network", network] if network else []
    ended = subprocess.run(run, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    found = phalanx.derive(keys, range(5, 1205), path="m/3", address=address, network=network)
    assert json.loads(ended.stdout)["children"] == len(found) == 6000
    assert pa.table(found).equals(pq.read_table(out))
