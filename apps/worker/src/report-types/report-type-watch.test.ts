import type { ReportTypeUsability, ReportTypeMismatch } from "@reports/core/report";
import { createLogger } from "@reports/runtime";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { createReportTypeWatch } from "./report-type-watch.ts";

const fault: ReportTypeMismatch = { code: "COLUMN_MISSING", message: "The view has no column total." };

function watchOf(first: () => Promise<ReportTypeUsability>) {
  const lines: string[] = [];
  const logger = createLogger({ name: "worker", level: "info", destination: { write: (line) => lines.push(line) } });
  const found = { check: first, comparisons: 0 };
  const watch = createReportTypeWatch({
    check: async () => {
      found.comparisons++;
      return found.check();
    },
    logger,
    period: { everyMs: 5, jitterMs: 1 },
  });
  return {
    watch,
    messages: () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
    async find(check: () => Promise<ReportTypeUsability>): Promise<void> {
      found.check = check;
      const seen = found.comparisons;
      await waitFor(() => found.comparisons >= seen + 3, { what: "further comparisons" });
    },
  };
}

const finds =
  (unusable: Record<string, ReportTypeMismatch>, unknown: string[] = []) =>
  async (): Promise<ReportTypeUsability> => ({
    unusable: new Map(Object.entries(unusable)),
    unknown: new Set(unknown),
  });

test("only a type whose view does not match is refused, and each change is logged once", async () => {
  const { watch, messages, find } = watchOf(finds({ INVOICE: fault }));
  await watch.start();
  try {
    expect([watch.refusalOf("INVOICE"), watch.refusalOf("PROXY")]).toEqual(["COLUMN_MISSING", null]);
    await find(finds({ INVOICE: fault }));
    expect(messages()).toEqual(["a report type cannot be used; its reports wait"]);
    await find(finds({}));
    expect(watch.refusalOf("INVOICE")).toBeNull();
    expect(messages().slice(1)).toEqual(["a report type can be used again"]);
  } finally {
    await watch.stop();
  }
});

test("an unreachable source does not change the state of its types", async () => {
  const { watch, messages, find } = watchOf(finds({}));
  await watch.start();
  try {
    await find(finds({}, ["INVOICE"]));
    expect(watch.refusalOf("INVOICE")).toBeNull();
    await find(finds({ INVOICE: fault }));
    await find(finds({}, ["INVOICE"]));
    await find(async () => Promise.reject(new Error("away")));
    expect(watch.refusalOf("INVOICE")).toBe("COLUMN_MISSING");
    expect(messages().filter((message) => message.includes("cannot be used"))).toHaveLength(1);
  } finally {
    await watch.stop();
  }
});

test("a failed first comparison does not keep the worker from starting", async () => {
  const { watch } = watchOf(async () => Promise.reject(new Error("away")));
  await watch.start();
  expect(watch.refusalOf("INVOICE")).toBeNull();
  await watch.stop();
});
