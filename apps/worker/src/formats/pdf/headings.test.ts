import type { ReportSummary } from "@reports/core/report";
import { describe, expect, test } from "vitest";
import { hasPdftotext } from "../readers.fixture.ts";
import { createTestColumns } from "../rows.fixture.ts";
import { renderAndReadPdf } from "./rendered-pdf.fixture.ts";

const two = createTestColumns({ name: "text", amount: "integer" });
const title =
  "Needs action: certificates that have expired or are about to, and those that nobody has looked at for long";

function attended(rows: number, total = rows): ReportSummary {
  const listed = Array.from({ length: rows }, (_, at) => [`urgent-${at}`, "5"]);
  return { figures: [], charts: [], attention: { title, columns: two, rows: listed, total } };
}

const words = (text: string): string => text.replace(/\s+/g, " ");

describe.runIf(hasPdftotext)("headings", () => {
  test.each(["portrait", "landscape"] as const)(
    "headings are wrapped and never shortened on a %s page",
    async (orientation) => {
      const long = `Health of ${"every region and of every one of its sites, ".repeat(4)}in one`;
      const points = [{ label: "eu", tone: "neutral", values: [1] }] as const;
      const chart = { key: "c", title: long, series: [{ label: "", tone: "neutral" }], points, omitted: [] } as const;
      const owner = `Team ${"for edges and everything that is behind them ".repeat(3)}North`;
      const { structure, pages, warnings } = await renderAndReadPdf(
        createTestColumns({ name: "text", owner: "text" }),
        `a,${owner}\n`,
        {
          summary: { ...attended(2, 9), charts: [chart, chart] },
          options: { orientation, groupBy: "owner" },
        },
      );
      expect(words(structure).replaceAll('" "', " ")).toContain(`H2 (block) "${title}"`);
      expect(words(structure).replaceAll('" "', " ")).toContain(`H3 (block) "Title of owner: ${owner}"`);
      expect(pages.join("\n")).not.toContain("…");
      expect(warnings).toEqual([]);
    },
  );

  test("an attention list repeats its title on the next page", async () => {
    const { pages } = await renderAndReadPdf(two, "a,1\n", { summary: attended(70) });
    const continued = pages.slice(1).filter((page) => page.includes("urgent-"));
    expect(continued).not.toEqual([]);
    for (const page of continued) {
      expect(words(page)).toContain("Needs action: certificates");
      expect(page.indexOf("continued")).toBeLessThan(page.indexOf("urgent-"));
      expect(page).toContain("continued");
    }
  });

  test("groups of null and of empty values have headings with different names", async () => {
    const { structure } = await renderAndReadPdf(createTestColumns({ owner: "text", name: "text" }), ',a\n"",b\n', {
      options: { groupBy: "owner" },
    });
    expect(structure).toMatch(/H3 \(block\)\s+"No title of owner"/);
    expect(structure).toMatch(/H3 \(block\)\s+"Title of owner: \(empty\)"/);
  });

  test.each(["A title that is long ", "כותרת ארוכה "])(
    "the footer has the complete report ID next to the title %s",
    async (part) => {
      const given = { title: part.repeat(9).trim(), options: { orientation: "portrait" } } as const;
      const { pages } = await renderAndReadPdf(two, "a,1\n", given);
      expect(pages[0]!.match(/01930000-0000-7000-8000-000000000001/g)).toHaveLength(2);
      expect(pages[0]).toMatch(/…[^\n]*01930000|01930000[^\n]*…/);
    },
  );
});
