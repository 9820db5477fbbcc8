import { expect, test } from "vitest";
import { hasPdftotext } from "../readers.fixture.ts";
import { createTestColumns } from "../rows.fixture.ts";
import { renderAndReadPdf } from "./rendered-pdf.fixture.ts";

async function barLines(label: string): Promise<string[]> {
  const point = { label, tone: "neutral", values: [7] } as const;
  const other = { label: "?", tone: "neutral", values: [3] } as const;
  const chart = { key: "c", title: "Hosts", series: [{ label: "", tone: "neutral" }], omitted: [] } as const;
  const charts = [
    { ...chart, points: [point, other] },
    { ...chart, key: "d", points: [other] },
  ];
  const { pages } = await renderAndReadPdf(createTestColumns({ name: "text" }), "?\n", {
    summary: { figures: [], charts, attention: null },
  });
  return pages[0]!.split(/\s+/).filter((word) => word.length > 1 && label.includes(word));
}

test.runIf(hasPdftotext)("a long host name of a bar is broken after a dot or a hyphen", async () => {
  expect(await barLines("customer-portal.region-north.example.com")).toEqual([
    "customer-portal.region-",
    "north.example.com",
  ]);
});

test.runIf(hasPdftotext)("the name of a bar that fits in two lines only without a natural break is whole", async () => {
  const label = `a.${"b".repeat(34)}`;
  expect((await barLines(label)).join("")).toBe(label);
});
