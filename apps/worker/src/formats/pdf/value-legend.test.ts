import type { ReportColumn } from "@reports/core/report";
import { describe, expect, test } from "vitest";
import { hasPdftotext } from "../readers.fixture.ts";
import { renderAndReadPdf } from "./rendered-pdf.fixture.ts";
import { listShownValueMeanings } from "./shown-meanings.ts";

const columns: readonly ReportColumn[] = [
  { key: "name", title: "Name", kind: "text", width: 10 },
  {
    key: "state",
    title: "State",
    kind: "text",
    width: 10,
    titles: { OPEN: "Open", LATE: "Overdue", PAID: "Paid" },
    meanings: { OPEN: "Nobody has paid.", LATE: "The due date has passed." },
  },
  {
    key: "marks",
    title: "Marks",
    kind: "list",
    width: 10,
    titles: { VIP: "Important", OLD: "Old" },
    meanings: { VIP: "The customer has a contract.", OLD: "It is from the archive." },
  },
];
const title = "Meaning of words";

describe.runIf(hasPdftotext)("the legend of a pdf", () => {
  test("a pdf explains once the words that it shows, and no others", async () => {
    const { pages, structure } = await renderAndReadPdf(columns, "a,LATE,{VIP}\nb,LATE,{}\nc,PAID,\n");
    const text = pages.join("\n");
    for (const once of [title, "The due date has passed.", "The customer has a contract."])
      expect([once, text.split(once).length - 1]).toEqual([once, 1]);
    expect(text).not.toMatch(/Nobody has paid|from the archive/);
    expect(structure).toMatch(/Lbl[^]*"Overdue"[^]*LBody[^]*"The due date has passed\."/);
  });

  test.each([
    ["without rows", ""],
    ["whose words need no explanation", "c,PAID,\n"],
  ])("a pdf %s has no legend", async (_, wire) => {
    const { pages } = await renderAndReadPdf(columns, wire);
    expect(pages.join("\n")).not.toContain(title);
  });

  test("no word of a legend is wrapped because its column's width was rounded down", async () => {
    const words = [
      "Stream",
      "Reverse",
      "Forward",
      "Active",
      "Draining",
      "Envoy",
      "Traefik",
      "Squid",
      "Staging",
      "Late",
    ];
    const single = words.map((word): ReportColumn => {
      const own = { titles: { V: word }, meanings: { V: "It is so." } };
      return { key: word.toLowerCase(), title: `Column of ${word}`, kind: "text", width: 10, ...own };
    });
    const { pages } = await renderAndReadPdf([columns[0]!, ...single], `a${",V".repeat(words.length)}\n`);
    const legend = pages.join("\n").split(title)[1]!;
    expect(new Set([...legend.matchAll(/(\w+) +It is so\./g)].map(([, word]) => word))).toEqual(new Set(words));
  });

  test("a legend that is longer than a page continues on the next pages", async () => {
    const values = Array.from({ length: 50 }, (_, at) => `V${at}`);
    const meanings = Object.fromEntries(values.map((value) => [value, `Meaning of ${value}.`]));
    const titles = Object.fromEntries(values.map((value) => [value, `Word ${value}`]));
    const wire = values.map((value) => `x,${value}\n`).join("");
    const { pages } = await renderAndReadPdf([columns[0]!, { ...columns[1]!, titles, meanings }], wire, {
      options: { orientation: "landscape", accessible: false },
    });
    const text = pages.join("\n");
    expect(values.filter((value) => !text.includes(`Meaning of ${value}.`))).toEqual([]);
  });
});

test("if the rows are not known yet, a legend explains all words of its columns once", () => {
  const attention = { title: "Late", columns, rows: [], total: 0 };
  expect(listShownValueMeanings(columns, null, attention)).toEqual([
    {
      title: "State",
      values: [
        { title: "Open", meaning: "Nobody has paid." },
        { title: "Overdue", meaning: "The due date has passed." },
      ],
    },
    {
      title: "Marks",
      values: [
        { title: "Important", meaning: "The customer has a contract." },
        { title: "Old", meaning: "It is from the archive." },
      ],
    },
  ]);
});
