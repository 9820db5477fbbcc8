"""Opens the files of the examples' reports with third-party readers, and prints the number of rows and a sum of each.

Usage: read_report_files.py FOLDER. The folder contains files named TYPE.FORMAT. Prints one JSON object by file: the number of rows, the keys or
titles of the columns, and the sum of the column of SUMMED. A json also has its figures. For a pdf, it has only the text. If a reader refuses a file,
the program ends with an exception.
"""

import csv
import decimal
import json
import pathlib
import re
import subprocess
import sys

import openpyxl

# By type, a column by its key and by its title in the documents.
SUMMED = {
    "INVOICE": ("amount", "Amount"),
    "STOCK_LEVEL": ("onHand", "On hand"),
    "SHIPMENT": ("weight", "Gewicht"),
    "DEPOT_LOAD": ("weight", "Weight"),
    "VEHICLE": ("odometer", "Odometer"),
}


def main() -> None:
    seen = {}
    for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
        read = READERS.get(path.suffix)
        if read is not None and path.stem in SUMMED:
            seen[path.name] = read(path, SUMMED[path.stem])
    json.dump(seen, sys.stdout)


def summary(columns: list[str], rows: list[dict], summed: str) -> dict:
    total = sum(decimal.Decimal(str(row[summed])) for row in rows)
    return {"rows": len(rows), "columns": columns, "sum": f"{total:.2f}"}


def read_csv(path: pathlib.Path, summed: tuple[str, str]) -> dict:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        return summary(list(reader.fieldnames or []), list(reader), summed[0])


def read_json(path: pathlib.Path, summed: tuple[str, str]) -> dict:
    document = json.loads(path.read_text("utf-8"), parse_float=decimal.Decimal)
    rows = document["rows"]
    figures = {figure["key"]: figure["value"] for figure in document["summary"]["figures"]}
    return {**summary(list(rows[0]), rows, summed[0]), "figures": figures}


def read_ndjson(path: pathlib.Path, summed: tuple[str, str]) -> dict:
    rows = [json.loads(line, parse_float=decimal.Decimal) for line in path.read_text("utf-8").splitlines()]
    return summary(list(rows[0]), rows, summed[0])


def read_xlsx(path: pathlib.Path, summed: tuple[str, str]) -> dict:
    book = openpyxl.load_workbook(path, read_only=True)
    # Several sheets have the summed column. The sheet of all rows has the most columns, and the others repeat rows that need attention.
    header, *values = max(
        ([list(row) for row in sheet.iter_rows(values_only=True)] for sheet in book.worksheets),
        key=lambda rows: len(rows[0]) if rows and summed[1] in rows[0] else 0,
    )
    return summary(header, [dict(zip(header, row)) for row in values], summed[1])


def read_pdf(path: pathlib.Path, summed: tuple[str, str]) -> dict:
    subprocess.run(["qpdf", "--check", path], check=True, stdout=subprocess.DEVNULL)
    text = subprocess.run(["pdftotext", "-layout", path, "-"], check=True, capture_output=True, text=True).stdout
    return {"columns": [summed[1]] if summed[1] in text else [], "text": re.sub(r"\s+", " ", text)}


READERS = {".csv": read_csv, ".json": read_json, ".ndjson": read_ndjson, ".xlsx": read_xlsx, ".pdf": read_pdf}

main()
