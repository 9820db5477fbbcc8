import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReportColumn } from "@reports/core/report";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasQpdf } from "../readers.fixture.ts";
import { renderToBuffer, createTestColumns, createTestDefinition, createTestRows } from "../rows.fixture.ts";
import { pdfRenderer } from "./pdf.ts";
import { readDrawnTexts } from "./visual-texts.fixture.ts";

const host = "*.דוגמה4.example.com";
/** The visual order that readers of Latin text expect: only the Hebrew label runs from right to left. */
const shown = "*.4המגוד.example.com";
const reversed = "example.com.4המגוד.*";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "name-direction-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function textsOf(
  columns: readonly ReportColumn[],
  wire: string,
  given: Parameters<typeof renderToBuffer>[2] & Parameters<typeof createTestRows>[2] = {},
): Promise<string[]> {
  const { summary, ...others } = given;
  const rows = createTestRows(columns, wire, summary === undefined ? {} : { summary });
  const { bytes } = await renderToBuffer(pdfRenderer, rows, {
    ...others,
    options: { format: "pdf", ...others.options },
  });
  const path = join(folder, "names.pdf");
  writeFileSync(path, bytes);
  return readDrawnTexts(path);
}

describe.runIf(hasQpdf)("host names, URLs and ids in pdf", () => {
  test.each([
    [host, shown],
    ["مثال.example.com", "لاثم.example.com"],
    ["דוגמה.ישראל.example.com", "לארשי.המגוד.example.com"],
    ["https://דוגמה.example.com:8443/נתיב/a", "https://המגוד.example.com:8443/ביתנ/a"],
    ["דנה@example.com", "הנד@example.com"],
    ["דוגמה-abc-1", "המגוד-abc-1"],
    ["/נתיב", "/ביתנ"],
    [`${host} is down`, `${shown} is down`],
    [`שלום ${host} עולם`, `םלוע ${shown} םולש`],
    ["שלום עולם!", "!םלוע םולש"],
  ])("a pdf lays out the cell %j as %j", async (text, expected) => {
    const plain = (shownText: string): string => shownText.normalize("NFKC");
    const texts = await textsOf(createTestColumns({ a: "text" }), `"${text}"\n`);
    expect(texts.map(plain)).toContain(expected);
  });

  test.each([["text"], ["list"]] as const)(
    "a host name has the same order of characters everywhere in a pdf (%s)",
    async (kind) => {
      const columns = [
        { key: "host", title: host, kind, width: 30, keepsEnd: true },
        { key: "note", title: "Note", kind: "text", width: 20 },
      ] as const;
      const cell = kind === "list" ? `{${host}}` : host;
      const points = [{ label: host, tone: "neutral", values: [1] }] as const;
      const texts = await textsOf(columns, Array.from({ length: 120 }, () => `${cell},x`).join("\n") + "\n", {
        title: host,
        definition: { ...createTestDefinition(columns), title: host, description: `${host} and others` },
        requestedBy: `https://${host}|${host}`,
        searchParam: { host: [host] },
        options: { groupBy: kind === "text" ? "host" : null },
        summary: {
          figures: [{ key: "f", title: host, kind: "text", value: host, tone: "neutral" }],
          charts: [{ key: "c", title: host, series: [{ label: host, tone: "neutral" }], points, omitted: [] }],
          attention: { title: `${host} needs action`, columns, rows: [[cell, "y"]], total: 1 },
        },
      });
      const withName = texts.filter((text) => /המגוד|דוגמה/.test(text));
      expect(withName.filter((text) => !text.toLowerCase().includes(shown))).toEqual([]);
      expect(texts.join()).not.toContain(reversed);
      // The name is on the cover, in filters, figure, chart, attention list, rows or group headings, and in the footer of every page.
      expect(withName.length).toBeGreaterThan(15);
    },
  );

  test("a pdf cell shows a list of host names in the order of the list", async () => {
    const texts = await textsOf(createTestColumns({ a: "list" }), '"{דוגמה.com,אחר.org,www.שלום}"\n');
    expect(texts).toContain("המגוד.com, רחא.org, www.םולש");
  });

  test("a host name that a pdf shortens at its start keeps its direction", async () => {
    const columns = createTestColumns({ a: "text", b: "text" }).map((column) => ({
      ...column,
      keepsEnd: true as const,
    }));
    const long = `${"x".repeat(200)}.דוגמה4.example.com`;
    const texts = await textsOf(columns, `${long},${long}\n`);
    const shortened = texts.filter((text) => text.startsWith("…"));
    expect(shortened.length).toBe(2);
    for (const text of shortened) expect(text).toMatch(/x\.4המגוד\.example\.com$/);
  });
});
