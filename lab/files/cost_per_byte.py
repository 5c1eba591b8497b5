"""What `phalanx verify` makes of files that were made to take long, beside ordinary ones: CPU time per byte after
decompression, a value of a dictionary counted once. The page docs/use/file-limits.md states the bound.

    cargo build --release -p phalanx-cli && python3 lab/files/cost_per_byte.py target/release/phalanx

A text of 64 MiB of other lines is compared with one of rows under keys of their own. A Parquet file in which every row
has the same value of 4 MiB is compared with one of as many rows without it. Wants coincurve and pyarrow.
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
# A row of Parquet and a value that all rows share.
ROW, SHARED = 129, 4 << 20
RUNS = 10


def row(number):
    digest, secret = (hashlib.sha256(f"{what} {number}".encode()).digest() for what in ("digest", "secret"))
    key = coincurve.PrivateKey(secret)
    signature = key.sign_recoverable(digest, hasher=None)[:64]
    return {"msg_hash": digest, "pubkey": key.public_key.format(), "sig": signature}


def run(name):
    """Seconds of CPU of a run on a file, on the average of some, and the exit status."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(RUNS):
        command = [sys.argv[1], "verify", "-q", "--threads", "1", name]
        status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / RUNS, status


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


def main():
    rows = [row(number) for number in range(BYTES // 261)]
    with tempfile.TemporaryDirectory() as folder:
        texts(folder, rows)
        name, rows = f"{folder}/rows.parquet", rows[:3000]
        size = ROW * len(rows)
        write_parquet(name, rows)
        ordinary = show(f"ordinary parquet of {len(rows)} rows", size, name)
        for column in "id", "msg_hash", "pubkey", "sig", "r", "v", "scheme", "message":
            write_parquet(name, rows, column)
            show(f"4 MiB as `{column}` in every row", size + SHARED, name, ordinary)


main()
