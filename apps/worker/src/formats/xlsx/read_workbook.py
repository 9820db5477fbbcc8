"""Reads a workbook with a third-party reader.

Usage: read_workbook.py READER FILE. Writes one JSON object: per sheet its rows, per row its cells. A number stays a number, a date or time
becomes {"at": "YYYY-MM-DDTHH:MM:SS.mmm"}, an empty cell null.
"""

import csv
import datetime
import io
import json
import sys


DAY_ZERO = datetime.datetime(1899, 12, 30)
# Excel counts a day 29 February 1900, so readers move the days before it. Here only times of day are before it.
FIRST_TRUE_DAY = datetime.datetime(1900, 3, 1)


def at(moment):
    return {"at": moment.isoformat(timespec="milliseconds")}


def plain(value):
    if isinstance(value, datetime.timedelta):
        return at(DAY_ZERO + value)
    if isinstance(value, datetime.time):
        return at(datetime.datetime.combine(DAY_ZERO, value))
    if isinstance(value, datetime.date):
        moment = value if isinstance(value, datetime.datetime) else datetime.datetime.combine(value, datetime.time())
        is_moved = datetime.datetime(1900, 1, 1) <= moment < FIRST_TRUE_DAY
        return at(moment - datetime.timedelta(days=1) if is_moved else moment)
    return value


def with_openpyxl(path, read_only):
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=read_only)
    return {sheet.title: [list(row) for row in sheet.iter_rows(values_only=True)] for sheet in book.worksheets}


def with_calamine(path):
    import python_calamine

    book = python_calamine.load_workbook(path)
    sheets = {name: book.get_sheet_by_name(name).to_python(skip_empty_area=False) for name in book.sheet_names}
    # calamine returns an empty text for a missing cell.
    return {name: [[None if cell == "" else cell for cell in row] for row in rows] for name, rows in sheets.items()}


def with_xlsx2csv(path):
    import xlsx2csv

    book = xlsx2csv.Xlsx2csv(path, outputencoding="utf-8", skip_empty_lines=False)
    sheets = {}
    for number, sheet in enumerate(book.workbook.sheets, 1):
        out = io.StringIO(newline="")
        book.convert(out, sheetid=number)
        sheets[sheet["name"]] = list(csv.reader(io.StringIO(out.getvalue(), newline="")))
    return sheets


READERS = {
    "openpyxl": lambda path: with_openpyxl(path, False),
    "openpyxl, read-only": lambda path: with_openpyxl(path, True),
    "calamine": with_calamine,
    "xlsx2csv": with_xlsx2csv,
}

for line in sys.stdin:
    reader, path = json.loads(line)
    sheets = READERS[reader](path)
    cells = {name: [[plain(cell) for cell in row] for row in rows] for name, rows in sheets.items()}
    print(json.dumps(cells), flush=True)
