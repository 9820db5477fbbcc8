"""Reads csv, json or ndjson with a reader that is not ours.

Usage: read_rows.py READER FORMAT FILE COLUMNS. Writes a JSON array of rows, each an array of cells in the order of COLUMNS, a JSON object of
keys and kinds. FILE may be compressed, which its name says.
"""

import csv
import gzip
import json
import sys

reader, format, path, columns = sys.argv[1:4] + [json.loads(sys.argv[4])]


def open_text(encoding, newline=None):
    opener = gzip.open if path.endswith(".gz") else open
    return opener(path, "rt", encoding=encoding, newline=newline)


def with_python():
    if format == "csv":
        # Skips the byte order mark where there is one.
        with open_text("utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
        assert all(list(row) == list(columns) for row in rows)
    elif format == "json":
        with open_text("utf-8") as file:
            rows = json.load(file)["rows"]
    else:
        # As many programs do, although it ends a line at more characters than a line feed.
        with open_text("utf-8") as file:
            rows = [json.loads(line) for line in file.read().splitlines()]
    return [[row[key] for key in columns] for row in rows]


JSON_TYPES = {"integer": "BIGINT", "boolean": "BOOLEAN", "list": "VARCHAR[]"}


def with_duckdb():
    import duckdb

    types = {key: JSON_TYPES.get(kind, "VARCHAR") for key, kind in columns.items()}
    names = ", ".join(f'"{key}"' for key in columns)
    if format == "csv":
        # Null is an empty cell and an empty text "", which DuckDB distinguishes on request.
        source = "read_csv(?, header = true, all_varchar = true, allow_quoted_nulls = false)"
    elif format == "ndjson":
        source = f"read_json(?, format = 'newline_delimited', columns = {types})"
    else:
        struct = ", ".join(f'"{key}" {type}' for key, type in types.items())
        source = f"(select unnest(rows, recursive := true) from read_json(?, columns = {{'rows': 'STRUCT({struct})[]'}}))"
    return duckdb.execute(f"select {names} from {source}", [path]).fetchall()


rows = {"python": with_python, "duckdb": with_duckdb}[reader]()
print(json.dumps([list(row) for row in rows]))
