"""Reads csv, json or ndjson with a third-party reader.

Each line of standard input is a JSON array: reader, format, path, and an object of the columns' keys and kinds. For each line it writes a JSON
array of rows, each an array of cells in the order of the columns. The extension of a file names its compression.
"""

import csv
import gzip
import json
import sys


def open_text(path, encoding, newline=None):
    opener = gzip.open if path.endswith(".gz") else open
    return opener(path, "rt", encoding=encoding, newline=newline)


def with_python(format, path, columns):
    if format == "csv":
        # Skips a byte order mark.
        with open_text(path, "utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
        assert all(list(row) == list(columns) for row in rows)
    elif format == "json":
        with open_text(path, "utf-8") as file:
            rows = json.load(file)["rows"]
    else:
        # Many programs call splitlines(), which ends a line at U+2028 and others, too. No value may contain them unescaped.
        with open_text(path, "utf-8") as file:
            rows = [json.loads(line) for line in file.read().splitlines()]
    return [[row[key] for key in columns] for row in rows]


JSON_TYPES = {"integer": "BIGINT", "boolean": "BOOLEAN", "list": "VARCHAR[]"}


def with_duckdb(format, path, columns):
    import duckdb

    types = {key: JSON_TYPES.get(kind, "VARCHAR") for key, kind in columns.items()}
    names = ", ".join(f'"{key}"' for key in columns)
    if format == "csv":
        # An empty cell is null and `""` is an empty text, which DuckDB distinguishes only with allow_quoted_nulls = false.
        source = "read_csv(?, header = true, all_varchar = true, allow_quoted_nulls = false)"
    elif format == "ndjson":
        source = f"read_json(?, format = 'newline_delimited', columns = {types})"
    else:
        struct = ", ".join(f'"{key}" {type}' for key, type in types.items())
        source = f"(select unnest(rows, recursive := true) from read_json(?, columns = {{'rows': 'STRUCT({struct})[]'}}))"
    return duckdb.execute(f"select {names} from {source}", [path]).fetchall()


READERS = {"python": with_python, "duckdb": with_duckdb}

for line in sys.stdin:
    reader, *job = json.loads(line)
    print(json.dumps([list(row) for row in READERS[reader](*job)]), flush=True)
