import { builtInReportTypes, type ReportColumn } from "@reports/core/report";
import { isFullTestRun } from "@reports/testing";
import { describe, expect, test } from "vitest";
import { hasPdftotext } from "../readers.fixture.ts";
import { renderAndReadPdf } from "./rendered-pdf.fixture.ts";

const regions = ["ap-southeast-1", "ap-southeast-2", "ap-northeast-1", "ap-northeast-2", "eu-central-1"];
const cells: Readonly<Record<string, (row: number) => string>> = {
  hostname: (row) => `tracking-${row}.umbra-logistics.example.net`,
  proxyName: (row) => `gru-stream-${String(row).padStart(4, "0")}`,
  proxyRegion: (row) => regions[row % regions.length]!,
  proxyEnvironment: () => "PROD",
  status: () => "SUSPENDED",
  upstream: (row) => `https://node-${2452 + row}.internal.example:8443`,
  tlsMode: () => "PASSTHROUGH",
  certIssuer: (row) => ["Let's Encrypt R12", "DigiCert Global G2 TLS RSA SHA256 2020 CA1"][row % 2]!,
  certNotAfter: () => "2026-09-14 14:34:21+00",
  daysLeft: (row) => String(row - 30),
  severity: () => "CRITICAL",
  issues: () => '"{CERT_EXPIRING,HSTS_MISSING,PROXY_DISABLED}"',
};

describe.runIf(hasPdftotext)("shortened values in a pdf", () => {
  test("most cells of a wide table are complete, in as many lines as they need", async () => {
    const all: readonly ReportColumn[] = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!.columns;
    const columns = Object.keys(cells).map((key) => all.find((column) => column.key === key)!);
    const wire = Array.from({ length: 40 }, (_, row) => columns.map(({ key }) => cells[key]!(row)).join(","));
    const { pages } = await renderAndReadPdf(columns, `${wire.join("\n")}\n`, {
      options: { orientation: "landscape" },
    });
    const text = pages.join("\n");
    for (const { key } of columns.filter(({ kind }) => kind === "text")) {
      const shown = columns.find((column) => column.key === key)!;
      const words = Array.from({ length: 40 }, (_, row) => cells[key]!(row)).map(
        (value) => shown.titles?.[value] ?? value,
      );
      const whole = words.filter((word) => text.includes(word)).length;
      expect([key, whole / words.length >= 0.75]).toEqual([key, true]);
    }
  });

  test("short names are complete even if those in the first rows are shorter", async () => {
    const { columns: all, pdfColumns } = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
    const columns = [...pdfColumns, "proxyRegion"].map((key) => all.find((column) => column.key === key)!);
    const hosts = (row: number): string => `tracking-${row}.umbra-logistics-and-travel.example.net`;
    const wire = (count: number, own: Readonly<Record<string, (row: number) => string>>): string =>
      Array.from(
        { length: count },
        (_, row) => `${columns.map(({ key }) => ({ ...cells, hostname: hosts, ...own })[key]!(row)).join(",")}\n`,
      ).join("");
    const rows =
      // The widths of columns are first estimated from 300 rows.
      wire(isFullTestRun ? 1500 : 500, { proxyName: () => "nrt-edge-0001", proxyRegion: () => "ap-northeast-1" }) +
      wire(100, { proxyRegion: () => "sa-east-1" });
    const { pages } = await renderAndReadPdf(columns, rows, { options: { groupBy: "proxyRegion", accessible: false } });
    expect(pages.join("\n").match(/ gru-stream-00\d\d /g)).toHaveLength(100);
  });

  test("a list is shortened after a complete element, with the number of others", async () => {
    const columns: readonly ReportColumn[] = [
      { key: "name", title: "Name", kind: "text", width: 40 },
      { key: "note", title: "Note", kind: "text", width: 60 },
      {
        key: "issues",
        title: "Issues",
        kind: "list",
        width: 24,
        titles: { A: "Certificate expiring", B: "HSTS missing" },
      },
    ];
    const row = `${"name ".repeat(9)},${"note ".repeat(14)},"{A,B,C,""a value of its own"",${"and-others,".repeat(9)}Z}"\n`;
    const { pages, warnings } = await renderAndReadPdf(columns, row.repeat(4), {
      options: { orientation: "portrait" },
    });
    expect(pages.join("\n")).toMatch(/Certificate expiring, HSTS missing(, [^,…]+)* \+\d+\b/);
    expect(pages.join("\n")).not.toMatch(/Certificate [^\n]*…/);
    expect(warnings).toEqual([{ code: "TEXTS_SHORTENED", message: expect.stringContaining("shortened to fit") }]);
  });

  const cards: readonly ReportColumn[] = Array.from({ length: 24 }, (_, at) => ({
    key: `c${at}`,
    title:
      at === 5 ? "A title that is much longer than any other title of this table and than its place" : `Title ${at}`,
    kind: "text",
    width: 24,
  }));

  test.each([true, false])("a warning counts a shortened column title once (tagged %s)", async (accessible) => {
    const wire = Array.from({ length: 6 }, (_, row) =>
      cards.map((_, at) => `group ${row} and value ${at} of it`).join(","),
    );
    const options = { groupBy: "c0", accessible } as const;
    const { pages, warnings } = await renderAndReadPdf(cards, `${wire.join("\n")}\n`, { options });
    expect(pages.join("\n").match(/A title that is[^\n]*…/g)?.length).toBeGreaterThanOrEqual(6);
    expect(warnings).toEqual([
      { code: "TEXTS_SHORTENED", message: "1 column title was shortened to fit; xlsx and json hold it whole." },
    ]);
  });
});
