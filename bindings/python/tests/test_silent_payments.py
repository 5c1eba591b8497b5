"""Silent payments: the published vectors, indexes of every layout, what cannot be read, and the command's answers."""

from __future__ import annotations

import copy
import json
import pickle
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from payments import LABELS, SCAN, SPEND, index, paid, prefixes, scanner, without_tweaks
from test_verdicts import command

import phalanx

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
np = pytest.importorskip("numpy")

BACKENDS = phalanx.backends()


def lists(outputs: list[list[bytes]], kind: str) -> Any:
    """The outputs of rows as a column of lists."""
    word = pa.binary(32)
    match kind:
        case "prefixes":
            return pa.array(prefixes(outputs), pa.list_(pa.int64()))
        case "large prefixes":
            return pa.array(prefixes(outputs), pa.large_list(pa.int64()))
        case "keys":
            return pa.array(outputs, pa.list_(word))
        case "binary":
            return pa.array(outputs, pa.large_list(pa.binary()))
        case "views":
            return pa.array(outputs, pa.list_(pa.binary_view()))
        case "hex":
            return pa.array([["0x" + key.hex() for key in keys] for keys in outputs], pa.list_(pa.string()))
        case "lists of bytes":
            return pa.array([[list(key) for key in keys] for keys in outputs], pa.list_(pa.list_(pa.uint8(), 32)))
    raise AssertionError(kind)


KINDS = ["prefixes", "large prefixes", "keys", "binary", "views", "hex", "lists of bytes"]


def table(columns: dict[str, list[Any]], kind: str = "prefixes") -> Any:
    return pa.table({**columns, "outputs": lists(columns["outputs"], kind)})


def found(matches: phalanx.Matches) -> list[dict[str, Any]]:
    return without_tweaks(pa.table(matches).to_pylist())


def check_vectors(path: Path, cases: int) -> int:
    """Scans what each case of BIP-352's file has received, on every backend; counts the outputs."""
    read = json.loads(path.read_text())
    assert len(read) == cases
    checked = 0
    for given, expected in ((case["given"], case["expected"]) for read in read for case in read["receiving"]):
        spend = phalanx.SecretKey.from_bytes(bytes.fromhex(given["key_material"]["spend_priv_key"]))
        secret = bytearray.fromhex(given["key_material"]["scan_priv_key"])
        receiver = phalanx.Scanner(secret, spend.public_key().to_bytes(), given["labels"])
        assert [receiver.address(), *map(receiver.address, given["labels"])] == expected["addresses"]
        outputs = [[bytes.fromhex(key) for key in given["outputs"]]]
        for backend in BACKENDS if expected["tweak"] else []:
            for kind in ("keys", "prefixes"):
                row = {"tweak_key": [bytes.fromhex(expected["tweak"])], "outputs": lists(outputs, kind)}
                matches = pa.table(phalanx.scan(row, [receiver], backend=backend)).to_pylist()
                for match in matches:
                    spending = spend.tweak_add(match["tweak"])
                    assert spending.x_only_public_key().to_bytes() == match["key"] == outputs[0][match["output"]]
                if "n_outputs" in expected:
                    assert len(matches) == expected["n_outputs"]
                else:
                    tweaks = {(match["key"].hex(), match["tweak"].hex()) for match in matches}
                    wanted = {(output["pub_key"], output["priv_key_tweak"]) for output in expected["outputs"]}
                    assert tweaks == wanted and len(matches) == len(wanted)
                checked += len(matches)
    return checked


def test_the_vectors_of_bip_352(repository: Path) -> None:
    assert check_vectors(repository / "testkit" / "vectors" / "bip-0352.json", 27) == 32 * 2 * len(BACKENDS)


def test_the_whole_file_of_bip_352(shared: Path) -> None:
    path = shared / "vectors" / "bip352" / "send_and_receive_test_vectors.json"
    assert check_vectors(path, 28) > 32 * 2 * len(BACKENDS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_layout_has_the_same_matches(kind: str, backend: str) -> None:
    columns, expected = index(200)
    given = table(columns, kind)
    names = ["txid", "height", "row", "scanner", "output", "k", "label", "key", "tweak"]
    for threads in (1, 2):
        matches = phalanx.scan(given, [scanner()], backend=backend, threads=threads)
        assert found(matches) == expected and len(matches) == len(expected) == 70
        assert (matches.rows, matches.malformed, matches.column_names) == (200, {}, names)
    # A part, which begins in the middle of its buffers; several batches; and columns apart.
    later = [{**match, "row": match["row"] - 7} for match in expected if match["row"] >= 7]
    assert found(phalanx.scan(given.slice(7), [scanner()])) == later
    parts = pa.concat_tables([given.slice(0, 33), given.slice(33, 0), given.slice(33)])
    assert found(phalanx.scan(parts, [scanner()])) == expected
    assert found(phalanx.scan({name: given[name] for name in given.column_names}, [scanner()])) == expected


def test_points_of_every_layout() -> None:
    columns, expected = index(60)
    points = columns["tweak_key"]
    text = [("0x" if row % 2 else "") + point.hex() for row, point in enumerate(points)]
    forms = [pa.array(points, kind) for kind in (pa.large_binary(), pa.binary_view())]
    forms += [pa.array(points).dictionary_encode(), pa.array(text)]
    forms += [pa.array([list(point) for point in points], pa.list_(pa.uint8()))]
    given = table(columns)
    for form in [*forms, points, text]:
        apart = {name: given[name] for name in ("txid", "height", "outputs")}
        assert found(phalanx.scan({**apart, "tweak_key": form}, [scanner()])) == expected


def test_lists_of_one_length() -> None:
    columns, expected = index(60)
    rows = [row for row, outputs in enumerate(columns["outputs"]) if len(outputs) == 3]
    wanted = [{**match, "row": rows.index(match["row"])} for match in expected if match["row"] in rows]
    given = pa.table({name: [column[row] for row in rows] for name, column in columns.items() if name != "outputs"})
    outputs = [columns["outputs"][row] for row in rows]
    for values, kind in ((prefixes(outputs), pa.int64()), (outputs, pa.binary(32))):
        whole = given.append_column("outputs", pa.array(values, pa.list_(kind, 3)))
        assert found(phalanx.scan(whole, [scanner()])) == wanted != []
        later = [{**match, "row": match["row"] - 3} for match in wanted if match["row"] >= 3]
        assert found(phalanx.scan(whole.slice(3), [scanner()])) == later != []
    nulls = pa.array([None, *prefixes(outputs)[1:]], pa.list_(pa.int64(), 3))
    assert phalanx.scan(given.append_column("outputs", nulls), [scanner()]).malformed == {0: "outputs is missing"}


def test_what_is_handed_on_has_its_own_type() -> None:
    columns, expected = index(60)
    given = table(columns)
    kinds: list[tuple[Any, Any]] = [(pa.string(), bytes.hex), (pa.binary(32), bytes)]
    for kind, value in kinds:
        ids = pa.array([value(txid) for txid in columns["txid"]], kind)
        matches = pa.table(phalanx.scan(given.set_column(0, "TXID", ids.dictionary_encode()), [scanner()]))
        assert matches["txid"].cast(kind).to_pylist() == [value(match["txid"]) for match in expected]
    lacking = phalanx.scan(given.select(["outputs", "tweak_key"]), [scanner()])
    assert lacking.column_names[0] == "row" and len(lacking) == len(expected)
    heights = pa.array([None, *columns["height"][1:]], pa.int64())
    assert pa.table(phalanx.scan(given.set_column(1, "height", heights), [scanner()]))["height"][0].as_py() is None


def test_files_frames_and_queries(tmp_path: Path) -> None:
    pl, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    columns, expected = index(80)
    given = table(columns)
    pq.write_table(given, tmp_path / "index.parquet", row_group_size=30)
    frame = pl.DataFrame(given)
    sources = [tmp_path / "index.parquet", str(tmp_path / "index.parquet"), frame, frame.lazy()]
    sources += [given.to_pandas(types_mapper=pytest.importorskip("pandas").ArrowDtype)]
    sources += [duckdb.sql("select * from given"), table(columns, "keys").to_reader(7)]
    for source in sources:
        told: list[tuple[int, int]] = []
        matches = phalanx.scan(source, [scanner()], progress=lambda done, total: told.append((done, total)))
        assert found(matches) == expected and told[-1] == (80, 80)
    arrays = frame.with_columns(outputs=pl.Series(columns["outputs"], dtype=pl.List(pl.Binary)))
    assert found(phalanx.scan(arrays, [scanner()])) == expected


def test_the_example_of_duckdb(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of docs/use/silent-payments.md, over a table as Frigate's."""
    duckdb = pytest.importorskip("duckdb")
    columns, expected = index(2000)
    given = table(columns)  # noqa: F841 (the query reads it by its name)
    with duckdb.connect(str(tmp_path / "frigate.duckdb")) as connection:
        connection.execute("create table tweak (txid blob, height integer, tweak_key blob, outputs bigint[])")
        connection.execute("insert into tweak select txid, height, tweak_key, outputs from given")
    (tmp_path / "scan-key.txt").write_text(SCAN.to_bytes().hex())
    monkeypatch.chdir(tmp_path)
    page = (repository / "docs" / "use" / "silent-payments.md").read_text()
    (example,) = (block for block in re.findall("```python\n(.*?)```", page, re.DOTALL) if "duckdb" in block)
    told: dict[str, Any] = {"spend_key": SPEND.public_key(), "labels": LABELS, "start": 801_000}
    exec(compile(example, "the example", "exec"), told)
    later = [match for match in expected if match["height"] >= 801_000]
    assert len(later) == 350 and (told["matches"].rows, told["matches"].malformed) == (1000, {})
    wanted = [(match["txid"], match["height"], match["output"]) for match in later]
    assert sorted(told["rows"]) == sorted(wanted)


def test_several_receivers_and_many_labels() -> None:
    columns, expected = index(40)
    stranger = phalanx.Scanner(bytes([9] * 32), SPEND.public_key())
    many = scanner(range(1, 1000))
    matches = pa.table(phalanx.scan(table(columns), [stranger, scanner(), many, scanner([])])).to_pylist()
    by_scanner = {n: [dict(match, scanner=0) for match in matches if match["scanner"] == n] for n in range(4)}
    assert by_scanner[0] == [] and without_tweaks(by_scanner[1]) == without_tweaks(by_scanner[2]) == expected
    # A transaction whose first output has a label that is not looked for is none of the receiver's.
    assert [match["label"] for match in by_scanner[3]] == [None, None, 0, None, None, None] * 2
    order = [(match["row"], match["scanner"], match["k"]) for match in matches]
    assert order == sorted(order)


def test_rows_that_cannot_be_read(tmp_path: Path) -> None:
    columns, expected = index(20)
    points: list[Any] = columns["tweak_key"]
    points[1], points[2], points[3], points[4] = None, b"", points[4][:32], bytes(33)
    lists_of_keys: list[Any] = columns["outputs"]
    lists_of_keys[6], lists_of_keys[7], lists_of_keys[8] = None, [bytes(32), None], [bytes(32), bytes(31)]
    reasons = {
        1: "tweak_key is missing",
        2: "tweak_key is no point of the curve",
        3: "tweak_key is no point of the curve",
        4: "tweak_key is no point of the curve",
        6: "outputs is missing",
        7: "outputs holds what is no key of 32 bytes",
        8: "outputs holds what is no key of 32 bytes",
    }
    given = pa.table({**columns, "outputs": pa.array(lists_of_keys, pa.list_(pa.binary()))})
    for threads in (1, 2):
        matches = phalanx.scan(pa.concat_tables([given] * 100), [scanner()], threads=threads)
        assert matches.malformed == {20 * n + row: why for n in range(100) for row, why in reasons.items()}
        assert len(matches) == 100 * len(expected) and matches.rows == 2000
    assert repr(matches) == "<phalanx.Matches: 700 in 2000 rows, 700 of them malformed>"
    null = pa.array([[1, None]] * 20, pa.list_(pa.int64()))
    matches = phalanx.scan(given.set_column(3, "outputs", null), [scanner()])
    assert matches.malformed[0] == "outputs holds a null" and len(matches.malformed) == 20
    text = pa.array(["zz"] * 20)
    assert phalanx.scan(given.set_column(2, "tweak_key", text), [scanner()]).malformed[19] == "tweak_key is not hex"
    nothing = pa.table({"tweak_key": pa.nulls(20), "outputs": pa.nulls(20)})
    assert phalanx.scan(nothing, [scanner()]).malformed == {row: "tweak_key is missing" for row in range(20)}
    none = given.set_column(3, "outputs", pa.nulls(20))
    assert phalanx.scan(none, [scanner()]).malformed[0] == "outputs is missing"
    # Rows of a file that is read in parts are numbered through.
    nulls = pa.table({"tweak_key": pa.nulls(70_000, pa.binary()), "outputs": pa.nulls(70_000, pa.list_(pa.binary()))})
    whole = pa.concat_tables([nulls, given.select(["tweak_key", "outputs"])])
    pq.write_table(whole, tmp_path / "index.parquet")
    matches = phalanx.scan(tmp_path / "index.parquet", [scanner()])
    assert matches.malformed[70_001] == reasons[1] and len(matches.malformed) == 70_007 and matches.rows == 70_020
    assert pa.table(matches)["row"].to_pylist() == [70_000 + match["row"] for match in expected]


def test_tables_that_are_refused() -> None:
    columns, _ = index(3)
    given = table(columns)
    lists_of = pa.array([[1]] * 3, pa.list_(pa.uint64()))
    views = pa.array([[1]] * 3, pa.list_view(pa.int64()))
    wrong = [
        (given.drop_columns("outputs"), ValueError, "no column `outputs`"),
        (given.drop_columns("tweak_key"), ValueError, "no column `tweak_key`"),
        (given.append_column("OUTPUTS", given["outputs"]), ValueError, "two columns are called `outputs`"),
        (given.append_column("Txid", given["txid"]), ValueError, "two columns are called `txid`"),
        (given.set_column(3, "outputs", given["height"]), TypeError, "column `outputs`: lists of .* Int64 is neither"),
        (given.set_column(3, "outputs", lists_of), TypeError, "column `outputs`: lists of"),
        (given.set_column(3, "outputs", views), TypeError, "column `outputs`: lists of"),
        (given.set_column(2, "tweak_key", given["height"]), TypeError, "column `tweak_key`: bytes or hex"),
        ({**columns}, TypeError, "column `outputs`: row 0: .* among values"),
        (b"table", TypeError, "a table is needed"),
    ]
    for refused, kind, said in wrong:
        with pytest.raises(kind, match=said):
            phalanx.scan(refused, [scanner()])
    with pytest.raises(ValueError, match="at least one is needed"):
        phalanx.scan(given, [])
    with pytest.raises(TypeError):
        phalanx.scan(given, scanner())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="backend"):
        phalanx.scan(given, [scanner()], backend="none")
    empty = phalanx.scan(given.slice(0, 0), [scanner()])
    assert (len(empty), empty.rows) == (0, 0) and pa.table(empty).column_names == empty.column_names


def test_lists_that_break_the_format(capfd: pytest.CaptureFixture[str]) -> None:
    """Outputs are not read from beside their lists, nor what is handed on from beside its column."""
    columns, _ = index(3)
    given = table(columns)
    values = given["outputs"].combine_chunks().values
    for offsets in ([0, 1 << 20, 2, 3], [0, -1, 2, 3], [0, 3, 1, 4]):
        buffer = pa.py_buffer(np.array(offsets, np.int32).tobytes())
        broken = pa.Array.from_buffers(pa.list_(pa.int64()), 3, [None, buffer], children=[values])
        with pytest.raises(ValueError, match="format|not one of its type|not those of its schema"):
            phalanx.scan(given.set_column(3, "outputs", broken), [scanner()])
    txid = given["txid"].combine_chunks().cast(pa.binary())
    offsets = np.array([0, 1 << 20, 0, 32], np.int32)
    broken = pa.Array.from_buffers(pa.binary(), 3, [None, pa.py_buffer(offsets.tobytes()), txid.buffers()[2]])
    with pytest.raises(ValueError, match="format|not one of its type|not those of its schema"):
        phalanx.scan(given.set_column(0, "txid", broken), [scanner()])
    assert capfd.readouterr().err == ""


def test_many_outputs_of_one_transaction() -> None:
    """As many as count, and more of them than are looked for."""
    point = phalanx.SecretKey.from_bytes(bytes([8] * 32)).public_key()
    keys = paid(point, [None] * 2330)
    row = {"tweak_key": [point.to_bytes()], "outputs": lists([keys[::-1]], "keys")}
    matches = pa.table(phalanx.scan(row, [scanner()]))
    assert matches["k"].to_pylist() == list(range(2323))
    assert matches["output"].to_pylist() == list(range(2329, 2329 - 2323, -1))


def test_scanners() -> None:
    receiver = scanner()
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="a Scanner is not pickled: it holds a secret"):
            copied(receiver)
    assert repr(receiver) == str(receiver) == "Scanner(..)"
    assert not [name for name in dir(receiver) if not name.startswith("__") and name != "address"]
    assert receiver.address(network="test") == receiver.address(network="regtest")
    assert receiver.address(network="test").startswith("tsp1q") and receiver.address().startswith("sp1q")
    addresses = {receiver.address(label) for label in (None, 0, *LABELS)}
    assert len(addresses) == 4
    key, spend = SCAN.to_bytes(), SPEND.public_key()
    for secret in (key, bytearray(key), memoryview(key), SCAN):
        for public in (spend, spend.to_bytes(), spend.to_bytes(compressed=False)):
            same = phalanx.Scanner(secret, public, iter(LABELS))
            assert {same.address(label) for label in (None, 0, 1, 2)} == addresses
    wrong: list[tuple[Any, type[Exception], str]] = [
        ((bytes(32), spend), ValueError, "secret key"),
        ((key[1:], spend), ValueError, "secret key"),
        ((key.hex(), spend), TypeError, "scan_key"),
        ((spend, spend), TypeError, "scan_key"),
        ((key, bytes(33)), ValueError, "public key"),
        ((key, SPEND), TypeError, "spend_key"),
        ((key, spend, [-1]), ValueError, "labels"),
        ((key, spend, [1 << 32]), ValueError, "labels"),
        ((key, spend, ["1"]), TypeError, "integer"),
        ((key, spend, 1), TypeError, "iterable"),
        ((key, spend, range(1 << 62)), ValueError, "more than 100000 labels"),
    ]
    for arguments, kind, said in wrong:
        with pytest.raises(kind, match=said):
            phalanx.Scanner(*arguments)
    with pytest.raises(ValueError, match="label 3 is none of this scanner's"):
        receiver.address(3)
    with pytest.raises(ValueError, match="network"):
        receiver.address(network="signet")


def test_secret_keys_in_files(tmp_path: Path) -> None:
    file = tmp_path / "key"
    digits = SCAN.to_bytes().hex()
    for text in (digits, digits.upper(), f"0x{digits}\n", f"secret     {digits}\npublic 02", f" \t{digits}\r\nrest"):
        file.write_text(text)
        assert phalanx.SecretKey.from_file(file) == phalanx.SecretKey.from_file(str(file)) == SCAN
    for text in ("", digits[1:], digits + "0", "\n" + digits, "0x0x" + digits[2:], "secret", " " * 5000 + digits, "é"):
        file.write_text(text)
        with pytest.raises(ValueError, match="a secret key is 64 hex digits") as said:
            phalanx.SecretKey.from_file(file)
        assert digits[1:] not in str(said.value)
    file.write_text("0" * 64)
    with pytest.raises(ValueError, match="secret key"):
        phalanx.SecretKey.from_file(file)
    with pytest.raises(FileNotFoundError, match=r"^\[Errno 2\] No such file or directory: '.*nowhere'$"):
        phalanx.SecretKey.from_file(tmp_path / "nowhere")
    with pytest.raises(OSError, match="pytest"):
        phalanx.SecretKey.from_file(tmp_path)


def test_the_command_says_the_same(repository: Path, tmp_path: Path) -> None:
    columns, expected = index(300)
    columns["tweak_key"][3] = bytes(33)
    file, key, out = tmp_path / "index.parquet", tmp_path / "scan-key", tmp_path / "out.parquet"
    pq.write_table(table(columns), file)
    key.write_text(SCAN.to_bytes().hex())
    spend = SPEND.public_key().to_bytes().hex()
    run: list[Any] = [command(repository), "scan", file, "--scan-key", key, "--spend-key", spend, "--labels", "2"]
    ended = subprocess.run([*run, "--out", out, "--json", "-q"], capture_output=True, text=True, check=False)
    assert ended.returncode == 3, ended.stderr
    matches = phalanx.scan(file, [phalanx.Scanner(phalanx.SecretKey.from_file(key), SPEND.public_key(), LABELS)])
    summary = json.loads(ended.stdout)
    assert [summary[name] for name in ("rows", "matches", "malformed")] == [300, len(expected), 1]
    assert matches.malformed == {3: "tweak_key is no point of the curve"}
    ours, theirs = pa.table(matches), pq.read_table(out)
    hexed = [txid.hex() for txid in ours["txid"].to_pylist()]
    ours = ours.set_column(0, "txid", pa.array(hexed)).drop_columns(["row", "scanner"])
    assert ours.to_pylist() == theirs.to_pylist() and len(ours) == len(expected)
    assert ours.schema.field("tweak").type == theirs.schema.field("tweak").type
