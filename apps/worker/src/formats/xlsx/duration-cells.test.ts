import { read } from "xlsx";
import { expect, test } from "vitest";
import {
  emptySummary,
  renderToBuffer,
  createTestColumns,
  createTestDefinition,
  createTestRows,
} from "../rows.fixture.ts";
import { xlsxRenderer } from "./xlsx.ts";

const columns = createTestColumns({ name: "text", stay: "duration" }).map((column) =>
  column.key === "stay" ? { ...column, tonesByNumber: [{ atLeast: 3_600, tone: "bad" } as const] } : column,
);
const definition = {
  ...createTestDefinition(columns),
  summary: {
    figures: [],
    charts: [
      {
        key: "stays",
        title: "Stays",
        categories: { column: "name", top: 3 },
        measure: { kind: "sum", column: "stay" },
      } as const,
    ],
  },
};
const chart = {
  key: "stays",
  title: "Stays",
  series: [{ label: "Stays", tone: "neutral" }],
  points: [
    { label: "a", tone: "neutral", values: [129_600] },
    { label: "b", tone: "neutral", values: [205_200_000] },
  ],
  omitted: [],
} as const;

async function readFile(name: string): Promise<string> {
  const rows = createTestRows(columns, "a,3600\n", { summary: { ...emptySummary, charts: [chart] } });
  const { bytes } = await renderToBuffer(xlsxRenderer, rows, { definition });
  const book = read(bytes, { bookFiles: true }) as unknown as {
    readonly files: Readonly<Record<string, { readonly content: Uint8Array }>>;
  };
  return Buffer.from(book.files[name]!.content).toString("utf8");
}

test("a chart of durations has the days of its cells, and their format on its axis", async () => {
  const xml = await readFile("xl/charts/chart1.xml");
  expect(xml).toContain('<c:pt idx="0"><c:v>1.5</c:v></c:pt>');
  expect(xml).toContain('<c:numFmt formatCode="[h]:mm:ss;\\-0.00000\\ &quot;d&quot;" sourceLinked="0"/>');
  expect(await readFile("xl/worksheets/sheet1.xml")).toContain("<v>1.5</v>");
});

test("the axis of a chart of durations leaves space for the label of the longest bar", async () => {
  const [, end] = /<c:max val="([\d.]+)"\/>/.exec(await readFile("xl/charts/chart1.xml"))!;
  // The longest bar is 2,375 days long. Its label 57000:00:00 needs 36 % of the axis.
  expect((Number(end) - 2_375) / Number(end)).toBeCloseTo(0.36, 2);
});

test("a tone's rule compares the seconds of a duration, although its cell has days", async () => {
  const xml = await readFile("xl/worksheets/sheet2.xml");
  expect(xml).toContain(
    "IF(ISNUMBER(B2),ROUND(B2*86400,6),_xlfn.NUMBERVALUE(B2,&quot;.&quot;,&quot;,&quot;))&gt;=3600",
  );
});
