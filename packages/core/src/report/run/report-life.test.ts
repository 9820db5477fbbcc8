import { describe, expect, it } from "vitest";
import { builtInReportTypes } from "../definitions/built-in-report-types.ts";
import { createCatalogue } from "../types/catalogue.ts";
import { toFileName } from "./file-name.ts";
import { startInputFromQuery } from "../request/start-input.ts";
import { advanceProgress, initialProgress } from "./progress.ts";
import { isTerminal, retryAfterSeconds } from "../lifecycle/states.ts";
import { reportStatuses } from "../../base/vocabulary.ts";

describe("states", () => {
  it("only the report states QUEUED and RUNNING are not terminal", () => {
    expect(reportStatuses.filter((status) => !isTerminal(status))).toEqual(["QUEUED", "RUNNING"]);
  });

  it("the recommended interval between polls grows with the age of the report", () => {
    const createdAt = new Date(0);
    const seconds = [0, 6, 20, 100, 400, 1000].map((age) => retryAfterSeconds({ createdAt }, new Date(age * 1000)));
    expect(seconds).toEqual([1, 2, 5, 10, 15, 30]);
  });
});

describe("progress", () => {
  it("a report's progress never decreases and stays below 100 percent while it runs", () => {
    const steps = [
      { phase: "querying", rowsDone: 0, rowsTotal: null },
      { phase: "rendering", rowsDone: 50, rowsTotal: 100 },
      { phase: "querying", rowsDone: 20, rowsTotal: null },
      { phase: "storing", rowsDone: 130, rowsTotal: 100 },
    ] as const;
    let progress = initialProgress;
    const seen = steps.map((step) => (progress = advanceProgress(progress, step)));
    expect(seen).toEqual([
      { phase: "querying", rowsDone: 0, rowsTotal: null, percent: null },
      { phase: "rendering", rowsDone: 50, rowsTotal: 100, percent: 50 },
      { phase: "rendering", rowsDone: 50, rowsTotal: 100, percent: 50 },
      { phase: "storing", rowsDone: 130, rowsTotal: 100, percent: 99 },
    ]);
  });
});

describe("file names", () => {
  const [definition] = builtInReportTypes;
  const start = startInputFromQuery(definition!, [["timezone", "Europe/Berlin"]], new Date(0));
  const nameOf = (title: string, createdAt = "2026-03-04T23:15:30Z"): string =>
    toFileName({ title, createdAt: new Date(createdAt), reportType: "PROXY", options: start.options }, "csv.gz");

  it("a file name is the title, the local time of the start and the extension", () => {
    expect(nameOf("Übersicht – Köln (v1.2)")).toBe("Übersicht Köln (v1.2) 2026-03-05 001530.csv.gz");
  });

  it("reports with the same title and different start times have different file names", () => {
    expect(nameOf("Weekly")).not.toBe(nameOf("Weekly", "2026-03-04T23:15:31Z"));
  });

  it.each(["証".repeat(80), "é".repeat(80), "नि".repeat(40), "e\u0301\u0323".repeat(40), "𠀀".repeat(80)])(
    "a file name is cut at a grapheme to at most 180 bytes: %s",
    (title) => {
      const name = nameOf(title);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180);
      expect(name.endsWith(" 2026-03-05 001530.csv.gz")).toBe(true);
      const kept = name.slice(0, -" 2026-03-05 001530.csv.gz".length);
      const graphemes = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
      const whole = graphemes(title.normalize("NFC"));
      expect(graphemes(kept)).toEqual(whole.slice(0, graphemes(kept).length));
    },
  );

  it("a file name has no characters that could change headers, paths or text direction", () => {
    expect(nameOf('../../etc/"pass\u202Ewd"; x=\\')).toBe("etc pass wd x 2026-03-05 001530.csv.gz");
    expect(nameOf("\u{1F600}///")).toBe("proxy 2026-03-05 001530.csv.gz");
  });
});

describe("the catalogue", () => {
  it("the catalogue lists the built-in types and finds no type named constructor", () => {
    const catalogue = createCatalogue(builtInReportTypes);
    expect(catalogue.list().map((definition) => definition.type)).toEqual(builtInReportTypes.map(({ type }) => type));
    expect(catalogue.find("constructor")).toBeUndefined();
  });

  it("createCatalogue refuses an invalid definition and lists all problems", () => {
    const [proxy] = builtInReportTypes;
    const broken = { ...proxy!, type: "proxy", defaultSort: [{ key: "nme", descending: false }], formats: {} };
    expect(() => createCatalogue([broken, broken])).toThrow(
      /UPPER_SNAKE[\s\S]*no column "nme"[\s\S]*no formats[\s\S]*registered twice/,
    );
  });
});
