import type { ReportColumn, ReportTypeDefinition } from "@reports/core/report";
import { expect, it, test } from "vitest";
import { getNumberFormatter } from "../number-formatter.ts";
import { createTestDefinition } from "../rows.fixture.ts";
import { cellStyleIndexes } from "./cell-style-indexes.ts";
import type { NumberStyles, StyledColumn } from "./column-cell-styles.ts";
import { createNumberStyles } from "./number-styles.ts";

const numbers = getNumberFormatter("en");
const currencyColumn: ReportColumn = { key: "currency", title: "Currency", kind: "text", width: 8 };
const amountOf = (digits: number | null): ReportColumn => ({
  key: `amount${digits ?? ""}`,
  title: `Amount ${digits ?? ""}`,
  kind: "decimal",
  width: 12,
  currency: { column: "currency" },
  ...(digits === null ? {} : { digits }),
});
const three = [null, 4, 0].map(amountOf);
const eight = [null, 0, 1, 3, 4, 5, 6, 7].map(amountOf);

const withAmounts = (amounts: readonly ReportColumn[], more: Partial<ReportTypeDefinition> = {}) => ({
  ...createTestDefinition([...amounts, currencyColumn]),
  ...more,
});
const stylesOf = (definition: ReportTypeDefinition) => createNumberStyles(definition, [], numbers);
const formatOf = ({ own }: NumberStyles, style = 0) => own[style - Object.keys(cellStyleIndexes).length]?.code;
const formatIn = (styles: NumberStyles, shown: StyledColumn, code: string) =>
  formatOf(styles, styles.cells(shown).styleByCurrency?.[code]);
const currenciesOf = (styles: NumberStyles, shown: StyledColumn) =>
  Object.keys(styles.cells(shown).styleByCurrency ?? {});

test("three columns of amounts each have their own formats for EUR and GBP", () => {
  const styles = stylesOf(withAmounts(three));
  expect(three.map((amount) => formatIn(styles, amount, "EUR"))).toEqual(['"€"#,##0.00', '"€"#,##0.0000', '"€"#,##0']);
  expect(three.map((amount) => formatIn(styles, amount, "GBP"))).toEqual(['"£"#,##0.00', '"£"#,##0.0000', '"£"#,##0']);
});

it.each([{ amounts: three }, { amounts: eight }])(
  "columns of amounts have formats for the same currencies, common ones first",
  ({ amounts }) => {
    const styles = stylesOf(withAmounts(amounts));
    const [first, ...others] = amounts.map((amount) => currenciesOf(styles, amount));
    for (const each of others) expect(each).toEqual(first);
    expect(first).toEqual(expect.arrayContaining(["USD", "EUR", "JPY", "GBP", "CHF"]));
    expect(first!.length).toBeGreaterThan(180 / amounts.length - 3);
  },
);

it.each([{ amounts: three }, { amounts: eight }])(
  "an amount without the format of its currency has the digits of its column",
  ({ amounts }) => {
    const styles = stylesOf(withAmounts(amounts));
    for (const amount of amounts) {
      const { digits } = amount;
      const plain = digits === undefined ? "General" : `#,##0${digits === 0 ? "" : `.${"0".repeat(digits)}`}`;
      expect(formatOf(styles, styles.cells(amount).style)).toBe(plain);
    }
  },
);

it.each<[string, Partial<ReportTypeDefinition>]>([
  ["titles", { columns: [...eight, { ...currencyColumn, titles: { XAF: "CFA franc" } }] }],
  ["conditions", { where: [{ column: "currency", in: ["XAF"] }] }],
  [
    "filters",
    {
      filters: [
        { name: "currency", operator: "in", value: "enum", columns: ["currency"], values: ["XAF"], description: "." },
      ],
    },
  ],
  [
    "figures",
    {
      summary: {
        figures: [
          {
            key: "sum",
            title: "Sum",
            kind: "decimal",
            aggregate: { kind: "sum", column: "amount4", where: { column: "currency", in: ["XAF"] } },
          },
        ],
        charts: [],
      },
    },
  ],
])("a currency that the report type names in %s has a format in every column", (_, more) => {
  const styles = stylesOf(withAmounts(eight, more));
  for (const amount of eight) expect(currenciesOf(styles, amount)).toContain("XAF");
  expect(currenciesOf(stylesOf(withAmounts(eight)), eight[0]!)).not.toContain("XAF");
});

test("one column of amounts has the formats of all currencies", () => {
  const amount = amountOf(null);
  expect(currenciesOf(stylesOf(withAmounts([amount])), amount)).toEqual(
    expect.arrayContaining(Intl.supportedValuesOf("currency")),
  );
});

test("a workbook has at most 190 formats of numbers, and alignments take none of them", () => {
  const aligned = eight.flatMap((amount) => [amount, { ...amount, key: `${amount.key}Left`, align: "start" as const }]);
  const styles = stylesOf(withAmounts(aligned));
  const formats = new Set(styles.own.flatMap(({ code }) => code ?? []));
  expect(formats.size).toBeGreaterThan(180);
  expect(formats.size).toBeLessThanOrEqual(190);
  expect(currenciesOf(styles, aligned[1]!)).toEqual(currenciesOf(styles, aligned[0]!));
});
