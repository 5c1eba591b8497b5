"""What a user of Python writes without Phalanx: a loop over the rows of a file, each verified by coincurve.

Reads CSV by Python's own module, Parquet by pyarrow. Prints how many rows are valid, or with --versions what it stands on.
"""

import csv
import sys

import coincurve


def verified(digest, signature, key):
    try:
        return coincurve.verify_signature(signature, digest, key, hasher=None)
    except ValueError:
        return False


def rows_of_csv(name):
    with open(name, newline="") as file:
        for row in csv.DictReader(file):
            yield tuple(bytes.fromhex(row[column]) for column in ("msg_hash", "sig", "pubkey"))


def rows_of_parquet(name):
    import pyarrow.parquet

    for batch in pyarrow.parquet.ParquetFile(name).iter_batches(columns=["msg_hash", "sig", "pubkey"]):
        yield from zip(*(column.to_pylist() for column in batch.columns))


def write_parquet(name, copy):
    """The rows of a CSV file, as bytes, in Parquet."""
    import pyarrow
    import pyarrow.parquet

    columns = zip(*rows_of_csv(name))
    arrays = [pyarrow.array(column, pyarrow.binary()) for column in columns]
    table = pyarrow.table(arrays, names=["msg_hash", "sig", "pubkey"])
    pyarrow.parquet.write_table(table, copy, compression="none")


def main():
    if sys.argv[1] == "--versions":
        import pyarrow

        print(f"{coincurve.__version__}")
        print(f"Python {sys.version.split()[0]}, pyarrow {pyarrow.__version__}")
    elif sys.argv[1] == "--write-parquet":
        write_parquet(*sys.argv[2:])
    else:
        rows = rows_of_parquet if sys.argv[1].endswith(".parquet") else rows_of_csv
        print(sum(verified(*row) for row in rows(sys.argv[1])))


main()
