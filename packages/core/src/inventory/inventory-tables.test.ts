import { expect, test } from "vitest";
import { domainCsvCellReader } from "./domain-record.ts";
import { proxyCsvCellReader } from "./proxy-record.ts";

test("a CSV file of the inventory needs a column for each field that POST requires", () => {
  expect(proxyCsvCellReader.required).toEqual(["name", "kind", "address", "port", "protocol"]);
  expect(domainCsvCellReader.required).toEqual([
    "hostname",
    "upstreamScheme",
    "upstreamHost",
    "upstreamPort",
    "tlsMode",
  ]);
});

test("a CSV cell of the inventory is read as the JSON value of its field", () => {
  const cells = {
    port: "443",
    latencyMsP95: "12",
    tags: "edge; eu",
    name: "edge-1",
    lastCheckedAt: "2026-01-01T00:00:00Z",
  };
  const read = Object.entries(cells).map(([name, cell]) => proxyCsvCellReader.readCell(name, cell));
  expect(read).toEqual([443, 12, ["edge", "eu"], "edge-1", "2026-01-01T00:00:00Z"]);
  expect(domainCsvCellReader.readCell("errorRate5xx24h", "2.5e-1")).toBe(0.25);
  expect([
    domainCsvCellReader.readCell("httpsForced", "true"),
    domainCsvCellReader.readCell("httpsForced", "false"),
  ]).toEqual([true, false]);
});

test("a CSV cell that does not fit the type of its field stays text", () => {
  expect(proxyCsvCellReader.readCell("port", "0x1bb")).toBe("0x1bb");
  expect(domainCsvCellReader.readCell("http2Enabled", "yes")).toBe("yes");
});
