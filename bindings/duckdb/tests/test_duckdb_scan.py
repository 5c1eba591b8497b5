"""`phalanx_scan` in SQL: vectors, the Python package's answers, what cannot be read, and how DuckDB cuts rows up."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from payments import LABELS, SCAN, SPEND, index, paid, prefixes, scanner, without_tweaks

import phalanx

SPEND_KEY = SPEND.public_key().to_bytes().hex()
FIELDS = ["output", "k", "label", "key", "tweak", "malformed"]


def arguments(key_file: Path, labels: list[int] | None = LABELS) -> str:
    """The constants of a call."""
    return f"'{key_file}', '{SPEND_KEY}'" + ("" if labels is None else f", {labels}")


def fill(database: Any, columns: dict[str, list[Any]], kind: str) -> None:
    """A table `tweak` with an index whose outputs are keys or prefixes; `row` numbers its rows."""
    item = pa.binary() if kind == "keys" else pa.int64()
    listed = columns["outputs"] if kind == "keys" else prefixes(columns["outputs"])
    given = {
        "row": pa.array(range(len(listed)), pa.int64()),
        "txid": pa.array(columns["txid"], pa.binary()),
        "height": pa.array(columns["height"], pa.int64()),
        "tweak_key": pa.array(columns["tweak_key"], pa.binary()),
        "outputs": pa.array(listed, pa.list_(item)),
    }
    database.register("given", pa.table(given))
    database.execute("CREATE OR REPLACE TABLE tweak AS FROM given")


def rows(result: Any) -> list[dict[str, Any]]:
    """The rows of a query by the names of its columns."""
    names = [column[0] for column in result.description]
    return [dict(zip(names, row)) for row in result.fetchall()]


def items(database: Any, call: str, source: str = "tweak") -> list[dict[str, Any]]:
    """The items of all rows, in order."""
    each = f"SELECT txid, height, row, unnest({call}, recursive := true) FROM {source}"
    return rows(database.execute(f"FROM ({each}) ORDER BY row, k"))


def matches(database: Any, constants: str) -> list[dict[str, Any]]:
    """The items of all rows of an index, in order."""
    return items(database, f"phalanx_scan(tweak_key, outputs, {constants})")


def good(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Matches as the Python package's tests have them, each of whose tweaks spends its output."""
    assert all(match.pop("malformed") is None for match in found)
    return without_tweaks([{**match, "scanner": 0} for match in found])


def check_vectors(database: Any, path: Path, cases: int, key_file: Path) -> int:
    """Scans what each case of BIP-352's file has received; counts the outputs."""
    read = json.loads(path.read_text())
    assert len(read) == cases
    checked = 0
    for given, expected in ((case["given"], case["expected"]) for read in read for case in read["receiving"]):
        if not expected["tweak"]:
            continue
        spend = phalanx.SecretKey.from_bytes(bytes.fromhex(given["key_material"]["spend_priv_key"]))
        key_file.write_text(given["key_material"]["scan_priv_key"])
        outputs = [bytes.fromhex(key) for key in given["outputs"]]
        for listed, kind in ((outputs, "BLOB[]"), (prefixes([outputs])[0], "BIGINT[]")):
            found = database.execute(
                f"SELECT unnest(phalanx_scan($1::BLOB, $2::{kind}, $3, $4, $5::BIGINT[]), recursive := true)",
                [
                    bytes.fromhex(expected["tweak"]),
                    listed,
                    str(key_file),
                    spend.public_key().to_bytes().hex(),
                    given["labels"],
                ],
            )
            found = rows(found)
            assert all(match["malformed"] is None for match in found)
            for match in found:
                spending = spend.tweak_add(match["tweak"])
                assert spending.x_only_public_key().to_bytes() == match["key"] == outputs[match["output"]]
            if "n_outputs" in expected:
                assert len(found) == expected["n_outputs"]
            else:
                tweaks = {(match["key"].hex(), match["tweak"].hex()) for match in found}
                wanted = {(output["pub_key"], output["priv_key_tweak"]) for output in expected["outputs"]}
                assert tweaks == wanted and len(found) == len(wanted)
            checked += len(found)
    return checked


def test_the_vectors_of_bip_352(database: Any, repository: Path, tmp_path: Path) -> None:
    path = repository / "testkit" / "vectors" / "bip-0352.json"
    assert check_vectors(database, path, 27, tmp_path / "key") == 32 * 2


def test_the_whole_file_of_bip_352(database: Any, shared: Path, tmp_path: Path) -> None:
    path = shared / "vectors" / "bip352" / "send_and_receive_test_vectors.json"
    assert check_vectors(database, path, 28, tmp_path / "key") > 32 * 2


@pytest.mark.parametrize("kind", ["keys", "prefixes"])
def test_an_index_has_the_matches_of_the_package(database: Any, key_file: Path, kind: str) -> None:
    columns, expected = index(5000)
    fill(database, columns, kind)
    found = matches(database, arguments(key_file))
    assert list(found[0]) == ["txid", "height", "row", *FIELDS]
    assert good(found) == expected
    assert len(expected) == 1750
    theirs = pa.table(phalanx.scan(database.sql("FROM tweak"), [scanner()])).to_pylist()
    assert without_tweaks(theirs) == expected
    types = database.sql(f"SELECT phalanx_scan(tweak_key, outputs, {arguments(key_file)}) FROM tweak").types
    fields = dict(types[0].children)["child"].children
    assert [(name, str(kind)) for name, kind in fields] == list(
        zip(FIELDS, ["UBIGINT", "UINTEGER", "UINTEGER", "BLOB", "BLOB", "VARCHAR"])
    )


def test_labels_are_those_that_are_asked_for(database: Any, key_file: Path) -> None:
    columns, expected = index(200)
    fill(database, columns, "keys")
    for labels in (None, [], [0], [2], [1, 2, 2], [2, 1, 4294967295]):
        asked = {None, 0, *(labels or [])}
        # A label that is not looked for hides the outputs behind it as well.
        wanted = [match for match in expected if match["label"] in asked]
        assert good(matches(database, arguments(key_file, labels))) == wanted, labels
    # SQL makes lists too.
    assert good(matches(database, f"'{key_file}', '{SPEND_KEY}', range(1, 3)")) == expected
    # Any form of the spend key, which SQL may put together.
    whole = SPEND.public_key().to_bytes(compressed=False).hex()
    halves = f"'{key_file}', '{whole[:60]}' || '{whole[60:]}', {LABELS}"
    assert good(matches(database, halves)) == expected


@pytest.mark.parametrize("threads", [1, 4])
def test_a_hundred_thousand_rows(database: Any, key_file: Path, threads: int) -> None:
    columns, expected = index(200)
    fill(database, columns, "prefixes")
    database.execute(f"SET threads = {threads}")
    database.execute("CREATE TABLE many AS SELECT i, tweak.* FROM tweak, range(500) r(i)")
    call = f"phalanx_scan(tweak_key, outputs, {arguments(key_file)})"
    found = database.execute(
        f"SELECT row, output, k, label, key, count(*) FROM (SELECT row, unnest({call}, recursive := true) FROM many) "
        "GROUP BY ALL ORDER BY row, k"
    ).fetchall()
    names = ["row", "output", "k", "label", "key"]
    assert found == [(*(match[name] for name in names), 500) for match in expected]
    assert database.execute(f"SELECT count(*) FROM many WHERE {call} IS NULL").fetchone() == (0,)


@pytest.mark.parametrize("kind", ["keys", "prefixes"])
def test_a_row_that_cannot_be_read_says_why(database: Any, key_file: Path, kind: str) -> None:
    columns, expected = index(200)
    fill(database, columns, kind)
    points = {3: "02" + "00" * 31 + "05", 44: "00" * 33, 45: "", 91: "00" * 64, 130: "02" * 32, 199: "04" + "00" * 64}
    for row, point in points.items():
        database.execute(f"UPDATE tweak SET tweak_key = unhex('{point}') WHERE row = {row}")
    why = dict.fromkeys(points, "tweak_key is no point of the curve")
    database.execute("UPDATE tweak SET outputs = list_append(outputs, NULL) WHERE row IN (5, 70, 71)")
    if kind == "prefixes":
        why |= dict.fromkeys((5, 70, 71), "outputs holds a null")
    else:
        database.execute("UPDATE tweak SET outputs = list_append(outputs, unhex('00')) WHERE row IN (85, 132)")
        database.execute("UPDATE tweak SET outputs = list_append(outputs, outputs[1] || 'a'::BLOB) WHERE row = 105")
        why |= dict.fromkeys((5, 70, 71, 85, 105, 132), "outputs holds what is no key of 32 bytes")
    database.execute("UPDATE tweak SET tweak_key = NULL WHERE row IN (20, 150)")
    database.execute("UPDATE tweak SET outputs = NULL WHERE row IN (21, 150, 160)")
    nulls = {20, 21, 150, 160}

    found = matches(database, arguments(key_file))
    told = [match for match in found if match["malformed"] is not None]
    assert {match["row"]: match["malformed"] for match in told} == why
    assert all(match[name] is None for match in told for name in FIELDS[:-1])
    wanted = [match for match in expected if match["row"] not in {*why, *nulls}]
    assert good([match for match in found if match["malformed"] is None]) == wanted
    call = f"phalanx_scan(tweak_key, outputs, {arguments(key_file)})"
    lengths = dict(database.execute(f"SELECT row, len({call}) FROM tweak").fetchall())
    assert {row for row, length in lengths.items() if length is None} == nulls
    assert {row for row, length in lengths.items() if length} == {*why, *(match["row"] for match in wanted)}


# How SQL makes lists: each keeps the outputs as they are, but for the last one.
LISTS = [
    "outputs",
    "[o FOR o IN outputs]",
    "list_concat(outputs, [])",
    "outputs[1:100]",
    "list_reverse(list_reverse(outputs))",
    "list_filter(outputs, lambda o: o IS NOT NULL)",
    "(SELECT list(o) FROM (SELECT unnest(outputs) AS o))",
    "list_resize(outputs, len(outputs))",
    "list_select(outputs, range(1, len(outputs) + 1))",
    "coalesce(NULL, outputs)",
    "CASE WHEN row % 2 = 0 THEN outputs ELSE [] END",
]


@pytest.mark.parametrize("kind", ["keys", "prefixes"])
@pytest.mark.parametrize("listed", LISTS)
def test_lists_however_they_are_made(database: Any, key_file: Path, listed: str, kind: str) -> None:
    columns, expected = index(200)
    fill(database, columns, kind)
    database.execute("CREATE OR REPLACE TABLE other AS SELECT row AS number FROM tweak ORDER BY number DESC")
    call = f"phalanx_scan(tweak_key, {listed}, {arguments(key_file)})"
    for source in ("tweak", "(FROM tweak WHERE row % 5 = 0)", "tweak JOIN other ON row = number"):
        found = items(database, call, source)
        wanted = [match for match in expected if match["row"] % 2 == 0 or listed != LISTS[-1]]
        assert good(found) == wanted, source


def test_constants_and_dictionaries(database: Any, key_file: Path) -> None:
    columns, expected = index(20)
    fill(database, columns, "prefixes")
    first = [match for match in expected if match["row"] == 5]
    constants = arguments(key_file)
    outputs = prefixes(columns["outputs"])[5]
    # One list for all rows, and one point for all rows.
    call = f"phalanx_scan(tweak_key, {outputs}::BIGINT[], {constants})"
    assert database.execute(f"SELECT row, len({call}) FROM tweak ORDER BY row").fetchall() == [
        (row, 2 if row == 5 else 0) for row in range(20)
    ]
    point = columns["tweak_key"][5].hex()
    call = f"phalanx_scan(unhex('{point}'), outputs, {constants})"
    assert database.execute(f"SELECT row, len({call}) FROM tweak ORDER BY row").fetchall() == [
        (row, 2 if row == 5 else 0) for row in range(20)
    ]
    # All constant, which DuckDB computes when it plans.
    call = f"phalanx_scan(unhex('{point}'), {outputs}::BIGINT[], {constants})"
    (found,) = database.execute(f"SELECT {call}").fetchone()
    assert [match["k"] for match in found] == [match["k"] for match in first] == [0, 1]
    # Rows that come by numbers of a dictionary.
    call = f"phalanx_scan(tweak_key, outputs, {constants})"
    joined = f"SELECT i, {call} AS m FROM range(6000) r(i) JOIN tweak ON row = i % 7"
    counts = database.execute(f"SELECT i % 7, len(m), count(*) FROM ({joined}) GROUP BY ALL ORDER BY ALL").fetchall()
    lengths = {row: sum(match["row"] == row for match in expected) for row in range(7)}
    assert [(at, length) for at, length, _ in counts] == list(lengths.items())
    assert sum(count for _, _, count in counts) == 6000


def test_plans_that_copy_the_call(database: Any, key_file: Path) -> None:
    columns, expected = index(100)
    fill(database, columns, "prefixes")
    call = f"phalanx_scan(tweak_key, outputs, {arguments(key_file)})"
    paying = len({match["row"] for match in expected})
    each = f"SELECT row, {call} AS m FROM tweak"
    both = f"SELECT count(*) FROM ({each} UNION ALL {each}) WHERE len(m) > 0"
    assert database.execute(both).fetchone() == (2 * paying,)
    database.execute(f"CREATE VIEW scanned AS {each}")
    assert database.execute("SELECT count(*) FROM scanned WHERE len(m) > 0").fetchone() == (paying,)
    database.execute(f"CREATE MACRO wallet(t, o) AS phalanx_scan(t, o, {arguments(key_file)})")
    count = "SELECT count(*) FROM tweak WHERE len(wallet(tweak_key, outputs)) > 0"
    assert database.execute(count).fetchone() == (paying,)
    database.execute(f"PREPARE prepared AS SELECT count(*) FROM tweak WHERE row < $1 AND len({call}) > 0")
    for most in (100, 10, 100):
        wanted = len({match["row"] for match in expected if match["row"] < most})
        assert database.execute(f"EXECUTE prepared({most})").fetchone() == (wanted,)
    # Two wallets in one query are two.
    other = key_file.with_name("other")
    other.write_text("09" * 32)
    second = f"phalanx_scan(tweak_key, outputs, '{other}', '{SPEND_KEY}')"
    assert database.execute(f"SELECT sum(len({call})), sum(len({second})) FROM tweak").fetchone() == (len(expected), 0)


def test_the_worst_transaction(database: Any, key_file: Path) -> None:
    """A transaction pays the receiver more often than the protocol looks for."""
    point = phalanx.SecretKey.from_bytes(bytes([7] * 32)).public_key()
    keys = paid(point, [None] * 2400)
    listed = pa.table({"p": pa.array([point.to_bytes()]), "o": pa.array(prefixes([keys]), pa.list_(pa.int64()))})
    database.register("listed", listed)
    (found,) = database.execute(f"SELECT phalanx_scan(p, o, {arguments(key_file)}) FROM listed").fetchone()
    assert [match["k"] for match in found] == list(range(2323))
    assert [match["key"] for match in found] == keys[:2323]


def refused(database: Any, constants: str) -> str:
    with pytest.raises(duckdb.BinderException) as said:
        database.execute(f"SELECT phalanx_scan('a'::BLOB, [1], {constants})")
    return str(said.value).removeprefix("Binder Error: phalanx_scan: ")


def test_constants_that_are_refused(database: Any, key_file: Path, tmp_path: Path) -> None:
    good = f"'{key_file}', '{SPEND_KEY}'"
    numbers = "labels: numbers from 0 to 4294967295 are needed"
    assert refused(database, f"NULL, '{SPEND_KEY}'") == "key_file: NULL is none"
    assert refused(database, f"'{key_file}', NULL") == "spend_key: NULL is none"
    assert refused(database, f"{good}, NULL") == refused(database, f"{good}, [1, NULL]") == "labels: NULL is none"
    assert refused(database, f"{good}, [-1]") == refused(database, f"{good}, [4294967296]") == numbers
    assert refused(database, f"{good}, range(100001)") == "labels: more than 100000 labels"
    for wrong in ("", "02", SPEND_KEY[2:], SPEND_KEY + "00", "zz" + SPEND_KEY[2:], "02" + "ff" * 32):
        assert refused(database, f"'{key_file}', '{wrong}'").startswith("spend_key: "), wrong
    nowhere = tmp_path / "nowhere"
    for path, why in ((nowhere, "No such file"), (tmp_path, "Is a directory")):
        said = refused(database, f"'{path}', '{SPEND_KEY}'")
        assert said.startswith(f"key_file: {path}: ") and why in said
    for elsewhere in (f"file://{key_file}", "https://127.0.0.1:1/key", "s3://bucket/key", "memory://key"):
        said = refused(database, f"'{elsewhere}', '{SPEND_KEY}'")
        assert said == f"key_file: {elsewhere}: a file of this machine is needed"
    # A constant that cannot be computed.
    assert refused(database, f"'{key_file}', 'x'::INTEGER::VARCHAR").startswith("spend_key: cannot be computed: ")
    fill(database, index(3)[0], "prefixes")
    with pytest.raises(duckdb.BinderException, match="phalanx_scan: key_file: must be a constant"):
        database.execute(f"SELECT phalanx_scan(tweak_key, outputs, txid::VARCHAR, '{SPEND_KEY}') FROM tweak")
    # A subquery is none either.
    constant = "must be a constant"
    assert refused(database, f"(SELECT '{key_file}'), '{SPEND_KEY}'") == f"key_file: {constant}"
    assert refused(database, f"{good}, (SELECT [1])") == f"labels: {constant}"
    # Types that are none of the function's.
    for columns in ("'02'::VARCHAR || '00', [1]", "'a'::BLOB, 1", "'a'::BLOB, ['a'::VARCHAR || 'b']"):
        with pytest.raises(duckdb.BinderException):
            database.execute(f"SELECT phalanx_scan({columns}, {good})")
    # After all of this it scans.
    assert database.execute(f"SELECT phalanx_scan(tweak_key, outputs, {good}) FROM tweak").fetchall()


def test_a_text_with_a_character_0_is_refused(database: Any, key_file: Path) -> None:
    why = "chr(0) stands in the text"
    for end in ("chr(0)", "chr(0) || 'y'", "chr(0) || chr(39)"):
        assert refused(database, f"'{key_file}' || {end}, '{SPEND_KEY}'") == f"key_file: {why}"
        assert refused(database, f"{end}, '{SPEND_KEY}'") == f"key_file: {why}"
        assert refused(database, f"'{key_file}', '{SPEND_KEY}' || {end}") == f"spend_key: {why}"


def test_key_files_are_read_as_by_the_command(database: Any, tmp_path: Path) -> None:
    columns, expected = index(20)
    fill(database, columns, "keys")
    file, digits = tmp_path / "a key's file", SCAN.to_bytes().hex()
    constants = f"'{str(file).replace(chr(39), chr(39) * 2)}', '{SPEND_KEY}', {LABELS}"
    for text in (digits, digits.upper(), f"0x{digits}\n", f"secret     {digits}\npublic 02", f" \t{digits}\r\nrest"):
        file.write_text(text)
        assert good(matches(database, constants)) == expected
    for text in ("", digits[1:], digits + "0", "\n" + digits, "secret", " " * 5000 + digits, "é", "0" * 64):
        file.write_text(text)
        why = refused(database, constants)
        assert why.startswith(f"key_file: {file}: ") and digits[1:] not in why
    file.write_bytes(b"\xff" * 64)
    assert refused(database, constants) == f"key_file: {file}: a secret key is 64 hex digits"


def test_no_file_is_read_where_duckdb_reads_none(database: Any, key_file: Path) -> None:
    query = f"SELECT phalanx_scan('a'::BLOB, [1], {arguments(key_file)})"
    assert database.execute(query).fetchall()
    database.execute("SET enable_external_access = false")
    for path in (key_file, Path("/nowhere")):
        why = f'key_file: {path}: Cannot access file "{path}"'
        assert refused(database, arguments(path)).startswith(why)


def test_no_file_is_read_where_local_files_are_disabled(database: Any, key_file: Path) -> None:
    query = f"SELECT phalanx_scan('a'::BLOB, [1], {arguments(key_file)})"
    assert database.execute(query).fetchall()
    database.execute("SET disabled_filesystems = 'LocalFileSystem'")
    for path in (key_file, Path("/nowhere")):
        why = refused(database, arguments(path))
        assert why == f"key_file: {path}: File system LocalFileSystem has been disabled by configuration"


def test_files_are_read_where_duckdb_is_allowed_to(database: Any, tmp_path: Path) -> None:
    columns, expected = index(20)
    fill(database, columns, "keys")
    folder, beside = tmp_path / "allowed", tmp_path / "allowed-not"
    folder.mkdir()
    alone = tmp_path / "alone"
    for file in (folder / "key", beside, alone):
        file.write_text(SCAN.to_bytes().hex())
    database.execute(f"SET allowed_directories = ['{folder}']")
    database.execute(f"SET allowed_paths = ['{alone}']")
    database.execute("SET enable_external_access = false")
    for path in (folder / "key", alone):
        assert good(matches(database, arguments(path))) == expected
    for path in (beside, folder / ".." / "allowed-not"):
        why = f'key_file: {path}: Cannot access file "{path}"'
        assert refused(database, arguments(path)).startswith(why)


def test_a_pipe_is_read_to_the_end_of_its_line(database: Any, tmp_path: Path) -> None:
    columns, expected = index(20)
    fill(database, columns, "keys")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # A pipe that can be written and read is opened at once, and what nobody has read stays in it.
    with pipe.open("r+b", buffering=0) as end:
        end.write(f"{SCAN.to_bytes().hex()}\nnext".encode())
        assert good(matches(database, arguments(pipe))) == expected
        assert end.read(100) == b"next"


def test_it_is_loaded_again_and_elsewhere(database: Any, extension: str, key_file: Path) -> None:
    query = f"SELECT phalanx_scan('a'::BLOB, [1], {arguments(key_file)})"
    found = database.execute(query).fetchall()
    database.execute(f"LOAD '{extension}'")
    assert database.execute(query).fetchall() == found
    with duckdb.connect(config={"allow_unsigned_extensions": "true"}) as other:
        with pytest.raises(duckdb.CatalogException):
            other.execute(query)
        other.execute(f"LOAD '{extension}'")
        assert other.execute(query).fetchall() == found
    assert database.execute(query).fetchall() == found
    with duckdb.connect() as signed, pytest.raises(duckdb.IOException, match="signature"):
        signed.execute(f"LOAD '{extension}'")
