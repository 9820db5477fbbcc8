import { read } from "xlsx";
import { expect, it } from "vitest";
import { renderToBuffer, createTestColumns, createTestDefinition, createTestRows } from "../rows.fixture.ts";
import { xlsxRenderer } from "./xlsx.ts";

const host = "*.דוגמה4.example.com";

/** Returns the lookup of a text cell's reading order: 1 is left to right, 2 is right to left, undefined leaves it to the first letter. */
async function ordersOf(
  wire: string,
  given: Parameters<typeof renderToBuffer>[2] & Parameters<typeof createTestRows>[2] = {},
): Promise<(sheet: number, text: string) => string | undefined> {
  const columns = createTestColumns({ a: "text", b: "list" });
  const { summary, ...others } = given;
  const rows = createTestRows(columns, wire, summary === undefined ? {} : { summary });
  const { bytes } = await renderToBuffer(xlsxRenderer, rows, { definition: createTestDefinition(columns), ...others });
  const { files } = read(bytes, { bookFiles: true }) as unknown as {
    readonly files: Readonly<Record<string, { readonly content: Uint8Array }>>;
  };
  const part = (name: string): string => Buffer.from(files[name]!.content).toString("utf8");
  const cellFormats = /<cellXfs[^>]*>(.*)<\/cellXfs>/s.exec(part("xl/styles.xml"))![1]!;
  const orders = [...cellFormats.matchAll(/<xf [^>]*?(?:\/>|>(.*?)<\/xf>)/gs)].map(
    ([, alignment = ""]) => /readingOrder="(\d)"/.exec(alignment)?.[1],
  );
  return (sheet, text) => {
    const xml = part(`xl/worksheets/sheet${sheet}.xml`);
    const cells = [...xml.matchAll(/<c r="\w+" s="(\d+)" t="(?:str|inlineStr)">(?:<is><t|<v)[^>]*>([^<]*)</g)];
    const cell = cells.find(([, , shown]) => shown === text);
    if (cell === undefined) throw new Error(`No cell holds ${text}.`);
    return orders[Number(cell[1])];
  };
}

it.each([
  [host, "1"],
  ["مثال.example.com", "1"],
  ["דנה@example.com", "1"],
  ["דוגמה-abc-1", "1"],
  [`${host} is down`, "1"],
  [` ${host}`, "1"],
  ["שלום עולם", undefined],
  ["edge.example.com", undefined],
  ["日本語", undefined],
])("the cell %j has the reading order %s", async (text, order) => {
  const orderOf = await ordersOf(`"${text}","{""${text}""}"\n`);
  expect(orderOf(2, text)).toBe(order);
  expect((await ordersOf(`x,"{""${text}""}"\n`))(2, text)).toBe(order);
});

it("an xlsx shows a host name from left to right in titles, labels and lists", async () => {
  const points = [{ label: host, tone: "neutral", values: [1] }] as const;
  const orderOf = await ordersOf("x,{}\n", {
    title: host,
    requestedBy: `basic:${host}`,
    summary: {
      figures: [],
      charts: [{ key: "c", title: "C", series: [{ label: "n", tone: "neutral" }], points, omitted: [] }],
      attention: { title: "Look", columns: createTestColumns({ a: "text" }), rows: [[host]], total: 2 },
    },
  });
  expect(orderOf(1, host)).toBe("1");
  const all = await ordersOf("x,{}\n", { title: "T", requestedBy: `basic:${host}` });
  expect(all(1, host)).toBe("1");
  expect(orderOf(3, host)).toBe("1");
  const labels = await ordersOf("x,{}\n", {
    summary: {
      figures: [{ key: "f", title: host, kind: "integer", value: "1", tone: "neutral" }],
      charts: [],
      attention: null,
    },
  });
  expect(labels(1, host)).toBe("1");
  expect((await ordersOf("x,{}\n", { title: "שלום עולם" }))(1, "שלום עולם")).toBe("2");
});
