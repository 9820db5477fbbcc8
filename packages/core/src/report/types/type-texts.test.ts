import { describe, expect, test } from "vitest";
import { builtInReportTypes } from "../definitions/built-in-report-types.ts";
import { findDefinitionProblems } from "./definition-problems.ts";
import { languages } from "./language.ts";
import { startOptionDeclarations } from "./options.ts";
import { textsOf, translateDefinition, translateSummary } from "./translate-definition.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";

const proxies = builtInReportTypes.find(({ type }) => type === "PROXY")!;
const withTexts = (texts: unknown) => findDefinitionProblems({ ...proxies, texts } as ReportTypeDefinition);

describe("translations of a report type", () => {
  test.each([
    [{ it: {} }, 'texts: there is no language "it". Allowed: de, fr, nl, es, pl.'],
    [{ de: { columns: { nam: "Name" } } }, 'texts.de.columns: the definition has no "nam". Did you mean name?'],
    [
      { de: { titles: { health: { UPP: "x" } } } },
      'texts.de.titles.health: the definition has no "UPP". Did you mean UP?',
    ],
    [
      { de: { titles: { name: { a: "x" } } } },
      'texts.de.titles.name: the definition has no "a". The definition has none.',
    ],
    [{ de: { meanings: { healt: {} } } }, 'texts.de.meanings: the definition has no "healt". Did you mean health?'],
    [{ de: { labels: { Dwn: "x" } } }, 'texts.de.labels: the definition has no "Dwn". Did you mean Down?'],
    [{ de: { figures: { down: "" } } }, 'texts.de.figures: the text of "down" must be text of 1 to 120 characters'],
    [{ de: { title: "x".repeat(121) } }, "texts.de.title must be text of 1 to 120 characters"],
    [{ de: { colums: {} } }, 'texts.de: there is no field "colums". Did you mean columns?'],
  ])("a definition with the translations %j is refused", (texts, problem) => {
    const problems = withTexts(texts);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  test("a word that a translation lacks stays English", () => {
    const partly = { ...proxies, texts: { de: { title: "Proxys", columns: { name: "Bezeichnung" } } } };
    expect(withTexts(partly.texts)).toEqual([]);
    const german = translateDefinition(partly, "de");
    expect([german.title, german.description]).toEqual(["Proxys", proxies.description]);
    expect(german.columns.slice(0, 2).map(({ title }) => title)).toEqual(["Bezeichnung", "Kind"]);
    expect(translateDefinition(partly, "fr").title).toBe(proxies.title);
  });

  test("a chart's defined labels are translated, and labels from the data are not", () => {
    const series = [{ label: "Down", tone: "bad" }] as const;
    const points = [{ label: "Down", tone: "neutral", values: [1] }] as const;
    const charts = [{ key: "healthByRegion", title: "Health by region", series, points, omitted: [] }];
    const [chart] = translateSummary({ figures: [], charts, attention: null }, proxies, textsOf(proxies, "de")).charts;
    expect(chart!.series[0]!.label).toBe("Ausgefallen");
    expect(chart!.points[0]!.label).toBe("Down");
  });

  test("a report without a title gets the title of its type in the report's language", () => {
    const titleIn = (language: "en" | "pl") =>
      startOptionDeclarations.title.byDefault(proxies, { format: "pdf", language });
    expect([titleIn("en"), titleIn("pl")]).toEqual(["Proxy inventory", "Wykaz serwerów proxy"]);
  });
});

const name =
  /^(nginx|HAProxy|Caddy|Traefik|Envoy|Squid|Reverse|Forward|Stream|ACME|TLS 1\.\d|RSA \d+|ECDSA P-\d+|Ed25519|\d+–\d+)$/;

function wordsOf({ title, description, columns, summary }: ReportTypeDefinition): [path: string[], word: string][] {
  const parts = summary.charts.flatMap(({ categories, series = [] }) => [
    ...("parts" in categories ? categories.parts : []),
    ...series,
  ]);
  const values = (kind: "titles" | "meanings") =>
    columns.flatMap((column) =>
      Object.entries(column[kind] ?? {}).map(([value, word]): [string[], string] => [[kind, column.key, value], word]),
    );
  return [
    [["title"], title],
    [["description"], description],
    ...columns.map(({ key, title: word }): [string[], string] => [["columns", key], word]),
    ...values("titles"),
    ...values("meanings"),
    ...summary.figures.map(({ key, title: word }): [string[], string] => [["figures", key], word]),
    ...summary.charts.map(({ key, title: word }): [string[], string] => [["charts", key], word]),
    ...parts.map(({ label }): [string[], string] => [["labels", label], label]),
    [["attention"], summary.attention!.title],
  ];
}

const translated = languages.filter((language) => language !== "en");
test.each(
  builtInReportTypes.flatMap((definition) => translated.map((language) => [definition.type, language] as const)),
)("the built-in type %s has a translation of every word in the language %s", (type, language) => {
  const definition = builtInReportTypes.find((one) => one.type === type)!;
  const texts = textsOf(definition, language);
  const missing = wordsOf(definition)
    .filter(([, word]) => !name.test(word))
    .filter(
      ([path]) =>
        path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], texts) === undefined,
    );
  expect(missing).toEqual([]);
});
