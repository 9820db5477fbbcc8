import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatProperties, reportFormats, type ReportFormat } from "@reports/core/report";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadRenderer } from "./load-renderer.ts";
import {
  everyValueColumns as columns,
  everyValueTexts as texts,
  everyValueWire as wire,
} from "./conformance.fixture.ts";
import { hasOpenpyxl, hasPython, runPythonProgram } from "./readers.fixture.ts";
import { renderToBuffer, createTestRows } from "./rows.fixture.ts";
import { addZoneToTitles } from "./xlsx/zone-in-title.ts";

const bytesFormat = '#,##0.0,,,,\\ "TB"';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conformance-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function renderFile(format: ReportFormat): Promise<string> {
  const renderer = await loadRenderer(format, { formulaGuard: true });
  const { bytes } = await renderToBuffer(renderer, createTestRows(columns, wire), {
    options: { format, timezone: "Europe/Berlin" },
  });
  const path = join(folder, `rows.${format}`);
  writeFileSync(path, bytes);
  return path;
}

const jsonRest = {
  integer: 9007199254740991,
  bigint: "-9223372036854775808",
  decimal: "0.10",
  ratio: "0.0500",
  bytes: "16500000000000",
  boolean: true,
  timestamp: "2026-10-25T02:30:00.123+02:00",
  date: "2026-02-28",
  list: ["a", "b c", "d,e"],
  duration: "5430.25",
  time: "17:00:00",
  state: "DOWN",
};
const jsonRows = [
  ...texts.map((text) => ({ text, ...jsonRest })),
  {
    text: "",
    integer: 0,
    bigint: "0",
    decimal: "0",
    ratio: "0",
    bytes: "0",
    boolean: false,
    timestamp: "2026-10-25T02:30:00+01:00",
    date: "1900-03-01",
    list: [],
    duration: "0",
    time: "24:00:00",
    state: "UP",
  },
  {
    text: null,
    integer: null,
    bigint: null,
    decimal: null,
    ratio: null,
    bytes: null,
    boolean: null,
    timestamp: null,
    date: null,
    list: null,
    duration: null,
    time: null,
    state: null,
  },
  {
    text: "numbers",
    integer: -1,
    bigint: "123456789012345",
    decimal: "123456789012345.5",
    ratio: "0.000000000000000001",
    bytes: "-9223372036854775808",
    boolean: false,
    timestamp: "0999-12-31T23:59:31+00:53",
    date: "0001-01-01",
    list: [null, ""],
    duration: "-5400",
    time: "23:59:59.999999",
    state: "",
  },
];

describe("every kind of value", () => {
  it.each(reportFormats.filter((format) => formatProperties[format].compressible))(
    "a %s file of every kind of value equals its golden file",
    async (format) => {
      await expect(readFileSync(await renderFile(format), "utf8")).toMatchFileSnapshot(
        `golden/every-kind.${format}.golden`,
      );
    },
  );

  it("JSON.parse reads every kind of value exactly from ndjson and json", async () => {
    const lines = readFileSync(await renderFile("ndjson"), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(jsonRows);
    const document = JSON.parse(readFileSync(await renderFile("json"), "utf8")) as { rows: unknown };
    expect(document.rows).toEqual(jsonRows);
  });

  it.runIf(hasPython)("Python reads every kind of value exactly from json", async () => {
    const program = "import json,sys; print(json.dumps(json.load(open(sys.argv[1], encoding='utf-8'))['rows']))";
    expect(await runPythonProgram(program, await renderFile("json"))).toEqual(jsonRows);
  });

  it.runIf(hasPython)("Python reads every kind of value exactly from csv", async () => {
    const program =
      "import csv,json,sys; print(json.dumps(list(csv.reader(open(sys.argv[1], encoding='utf-8', newline=''), strict=True))))";
    const guard = (text: string) => (/^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text);
    const rest = [
      "9007199254740991",
      "-9223372036854775808",
      "0.10",
      "0.0500",
      "16500000000000",
      "true",
      "2026-10-25T02:30:00.123+02:00",
      "2026-02-28",
      "a; b c; d,e",
      "5430.25",
      "17:00:00",
      "DOWN",
    ];
    expect(await runPythonProgram(program, await renderFile("csv"))).toEqual([
      columns.map((column) => column.key),
      ...texts.map((text) => [guard(text), ...rest]),
      ["", "0", "0", "0", "0", "0", "false", "2026-10-25T02:30:00+01:00", "1900-03-01", "", "0", "24:00:00", "UP"],
      columns.map(() => ""),
      [
        "numbers",
        "-1",
        "123456789012345",
        "123456789012345.5",
        "0.000000000000000001",
        "-9223372036854775808",
        "false",
        "0999-12-31T23:59:31+00:53",
        "0001-01-01",
        "; ",
        "-5400",
        "23:59:59.999999",
        "",
      ],
    ]);
  });

  it.runIf(hasOpenpyxl)("openpyxl reads every kind of value exactly, with its type, from xlsx", async () => {
    const program = `
import json,sys,openpyxl,datetime
from openpyxl.utils.escape import unescape
show = lambda v: ['duration', v.total_seconds()] if isinstance(v, datetime.timedelta) else ['time', v.isoformat()] if isinstance(v, datetime.time) else ['date', v.isoformat()] if isinstance(v, datetime.datetime) else unescape(v) if isinstance(v, str) else v
book = openpyxl.load_workbook(sys.argv[1])
sheet = book['Fixture']
print(json.dumps({'sheets': book.sheetnames, 'freeze': sheet.freeze_panes, 'filter': [t.ref for t in sheet.tables.values()], 'rows': [[show(v) for v in row] for row in sheet.iter_rows(values_only=True)], 'formats': [c.number_format for c in sheet[2]]}))`;
    const rest = [
      "9007199254740991",
      "-9223372036854775808",
      0.1,
      0.05,
      16500000000000,
      "Yes",
      ["date", "2026-10-25T02:30:00.123000"],
      ["date", "2026-02-28T00:00:00"],
      "a; b c; d,e",
      ["duration", 5430.25],
      ["time", "17:00:00"],
      "Not <running>",
    ];
    expect(await runPythonProgram(program, await renderFile("xlsx"))).toEqual({
      sheets: ["Summary", "Fixture"],
      freeze: "B2",
      filter: [`A1:M${texts.length + 4}`],
      formats: [
        "General",
        "@",
        "@",
        "General",
        "0.00%",
        bytesFormat,
        "General",
        "yyyy\\-mm\\-dd\\ hh:mm:ss",
        "yyyy\\-mm\\-dd",
        "General",
        '[h]:mm:ss;\\-0.00000\\ "d"',
        "[<1]hh:mm:ss;[h]:mm:ss",
        "General",
      ],
      rows: [
        addZoneToTitles(columns, "Europe/Berlin").map(({ title }) => title),
        ...texts.map((text) => [text, ...rest]),
        [
          "",
          0,
          0,
          0,
          0,
          0,
          "No",
          ["date", "2026-10-25T02:30:00"],
          ["date", "1900-03-01T00:00:00"],
          "",
          ["duration", 0],
          ["date", "1900-01-01T00:00:00"],
          "UP",
        ],
        columns.map(() => null),
        [
          "numbers",
          -1,
          123456789012345,
          "123456789012345.5",
          1e-18,
          "-9223372036854775808",
          "No",
          "0999-12-31 23:59:59+00:53:28",
          "0001-01-01",
          "; ",
          ["duration", -5400],
          ["time", "23:59:59"],
          "",
        ],
      ],
    });
  });
});
