"""What `phalanx verify` and `phalanx scan` make of files that were made to take long, beside ordinary ones: CPU time
per byte after decompression, a value of a dictionary counted once. The page docs/use/file-limits.md states the bound.

    cargo build --release -p phalanx-cli && python3 lab/files/cost_per_byte.py target/release/phalanx [verify] [scan]

For `verify`, a text of 64 MiB of other lines is compared with one of rows under keys of their own. A Parquet file in
which every row has the same value of 4 MiB is compared with one of as many rows without it. For `scan`, an index whose
rows pay the receiver once, or as often as BIP-352 allows, is compared with one of rows that pay others. The first ratio
counts the bytes of the file alone. The second one also counts each output that is the receiver's as a row, as the page
does. Wants coincurve and pyarrow.
"""

import gzip
import hashlib
import resource
import subprocess
import sys
import tempfile

import coincurve
import pyarrow
import pyarrow.parquet

BYTES = 64 << 20
# A row as the page counts it, and a value that all rows share.
ROW, SHARED = 129, 4 << 20
RUNS = 10
# An index, and the most outputs of a receiver in a transaction.
INDEX_BYTES, MOST = 4 << 20, 2323
SCAN_SECRET, SPEND_SECRET = (hashlib.sha256(what).digest() for what in (b"scan", b"spend"))


def row(number):
    digest, secret = (hashlib.sha256(f"{what} {number}".encode()).digest() for what in ("digest", "secret"))
    key = coincurve.PrivateKey(secret)
    signature = key.sign_recoverable(digest, hasher=None)[:64]
    return {"msg_hash": digest, "pubkey": key.public_key.format(), "sig": signature}


def run(name, command=("verify",), runs=RUNS):
    """Seconds of CPU of a run on a file, on the average of some, and the exit status."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(runs):
        arguments = [sys.argv[1], *command, "-q", "--threads", "1", name]
        status = subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / runs, status


def show(of, size, name, ordinary=None):
    """Prints what a file of so many bytes takes, and how much per byte beside the ordinary file; returns the latter."""
    seconds, status = run(name)
    ordinary = ordinary or seconds / size
    print(f"{1000 * seconds:8.0f} ms  {seconds / size / ordinary:5.2f}  {of}, status {status}", flush=True)
    return ordinary


def write_parquet(name, rows, shared=None):
    """The rows, in which a column, if one is named, has one value of 4 MiB in every row."""
    columns = {column: pyarrow.array([row[column] for row in rows], pyarrow.binary()) for column in rows[0]}
    if shared:
        keys = pyarrow.array([0] * len(rows), pyarrow.int32())
        columns[shared] = pyarrow.DictionaryArray.from_arrays(keys, pyarrow.array([b"0" * SHARED]))
    # The writer would compare each row's value with the others'.
    options = {"compression": "none", "dictionary_pagesize_limit": 16 << 20, "write_statistics": False}
    pyarrow.parquet.write_table(pyarrow.table(columns), name, **options)


def texts(folder, rows):
    rows = [{column: value.hex() for column, value in row.items()} for row in rows]
    csv = ["msg_hash,pubkey,sig\n"] + [",".join(row.values()) + "\n" for row in rows]
    jsonl = [str(row).replace("'", '"').replace(" ", "") + "\n" for row in rows]
    lines = {"empty lines": "\n", "empty lines of Windows": "\r\n", "rows of a digit": "0\n"}
    of_jsonl = {"lines of blanks": "   \n", "rows of an empty object": "{}\n"}
    for form, text, lines in ("csv", csv, lines), ("jsonl", jsonl, lines | of_jsonl):
        name = f"{folder}/rows.{form}.gz"

        def write(*parts):
            with gzip.open(name, "wb", compresslevel=1) as file:
                file.writelines(part.encode() for part in parts)

        write(*text)
        ordinary = show(f"ordinary {form}", sum(map(len, text)), name)
        for of, line in lines.items():
            write(*text[:2], line * (BYTES // len(line)))
            show(f"{form}, {of}", BYTES, name, ordinary)


def tagged(tag, *parts):
    tag = hashlib.sha256(tag).digest()
    return hashlib.sha256(tag + tag + b"".join(parts)).digest()


def point(secret):
    return coincurve.PrivateKey(secret).public_key


def own_outputs(tweak_point, count, labels):
    """The keys of the receiver's outputs in a transaction, each with the next label, and without one in between."""
    keys = [point(SPEND_SECRET)]
    for label in range(labels + 1):
        tweak = tagged(b"BIP0352/Label", SCAN_SECRET, label.to_bytes(4, "big"))
        keys.append(coincurve.PublicKey.combine_keys([keys[0], point(tweak)]))
    shared = tweak_point.multiply(SCAN_SECRET).format()
    for k in range(count):
        tweak = tagged(b"BIP0352/SharedSecret", shared, k.to_bytes(4, "big"))
        yield coincurve.PublicKey.combine_keys([keys[k % len(keys)], point(tweak)]).format()[1:]


def prefix(key):
    return int.from_bytes(key[:8], "big", signed=True)


def write_index(name, transactions):
    """Writes transactions of a tweak point and keys; returns the bytes of each."""
    tweaks = [tweak.format() for tweak, _ in transactions]
    lists = [[prefix(key) for key in keys] for _, keys in transactions]
    if name.endswith(".parquet"):
        prefixes = pyarrow.array(lists, pyarrow.list_(pyarrow.int64()))
        columns = {"tweak_key": pyarrow.array(tweaks, pyarrow.binary()), "outputs": prefixes}
        pyarrow.parquet.write_table(pyarrow.table(columns), name, compression="none", use_dictionary=False)
        return [33 + 8 * len(keys) for keys in lists]
    if name.endswith(".jsonl"):
        lists = [[key.hex() for key in keys] for _, keys in transactions]
    quoted = [str(keys).replace("'", '"') for keys in lists]
    if name.endswith(".jsonl"):
        lines = [f'{{"tweak_key":"{tweak.hex()}","outputs":{keys}}}\n' for tweak, keys in zip(tweaks, quoted)]
    else:
        lines = [f'{tweak.hex()},"{keys}"\n' for tweak, keys in zip(tweaks, quoted)]
    with open(name, "w") as file:
        file.writelines(lines if name.endswith(".jsonl") else ["tweak_key,outputs\n", *lines])
    return [len(line) for line in lines]


def scans(folder):
    key = f"{folder}/scan-key.txt"
    with open(key, "w") as file:
        file.write(SCAN_SECRET.hex())
    points = [point(hashlib.sha256(b"%d" % i).digest()) for i in range(1000)]
    other = [[hashlib.sha256(b"output %d" % (2 * i + j)).digest() for j in range(2)] for i in range(1000)]
    for labels in 0, 100, 1000:
        spend_key = point(SPEND_SECRET).format().hex()
        command = ("scan", "--scan-key", key, "--spend-key", spend_key, "--labels", str(labels))
        once = [list(own_outputs(tweak, 1, 0)) for tweak in points[:100]]
        often = [list(own_outputs(tweak, MOST, labels)) for tweak in points[:2]]
        reverse = [keys[::-1] for keys in often]
        kinds = {
            "rows that pay others": (list(zip(points, other)), 0),
            "rows that pay the receiver once": (list(zip(points, once)), 1),
            f"rows that pay it {MOST} times": (list(zip(points, often)), MOST),
            f"rows that pay it {MOST} times, in reverse": (list(zip(points, reverse)), MOST),
        }
        for form in "parquet", "csv", "jsonl":
            ordinary = None
            for of, (transactions, own) in kinds.items():
                name = f"{folder}/index.{form}"
                lengths = write_index(name, transactions)
                count = max(1, INDEX_BYTES // sum(max(ROW, length) for length in lengths))
                sizes = [max(ROW, length) for length in write_index(name, transactions * count)]
                seconds, status = run(name, command, 3)
                size, counted = sum(sizes), sum(sizes) + own * ROW * len(sizes)
                ordinary = ordinary or seconds / size
                ratios = f"{seconds / size / ordinary:5.2f}  {seconds / counted / ordinary:5.2f}"
                print(f"{1000 * seconds:8.0f} ms  {ratios}  {form}, {labels} labels, {of}, status {status}", flush=True)


def main():
    subjects = sys.argv[2:] or ["verify", "scan"]
    with tempfile.TemporaryDirectory() as folder:
        if "verify" in subjects:
            rows = [row(number) for number in range(BYTES // 261)]
            texts(folder, rows)
            name, rows = f"{folder}/rows.parquet", rows[:3000]
            size = ROW * len(rows)
            write_parquet(name, rows)
            ordinary = show(f"ordinary parquet of {len(rows)} rows", size, name)
            for column in "id", "msg_hash", "pubkey", "sig", "r", "v", "scheme", "message":
                write_parquet(name, rows, column)
                show(f"4 MiB as `{column}` in every row", size + SHARED, name, ordinary)
        if "scan" in subjects:
            scans(folder)


main()
