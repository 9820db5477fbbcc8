import { randomBytes } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  cloneDemoDatabase,
  findProgramPath,
  isAvailableOrThrowInCi,
  isFullTestRun,
  startStand,
  waitFor,
} from "@reports/testing";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { findMetricFaults } from "../monitoring/metric-faults.ts";
import { renderMetricTable } from "./render-metric-table.ts";
import { parsePromqlGroupings, parsePromqlSelectors, type MetricSelector } from "./read-promql.ts";

const root = join(import.meta.dirname, "../..");
const docs = join(root, "docs");

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

const { groups } = parse(readFileSync(join(docs, "reference/alerts.yml"), "utf8")) as {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);
const runbook = readFileSync(join(docs, "guides/running/respond-to-alerts.md"), "utf8");
const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name!);

test("every alert has one section in respond-to-alerts.md, and every section an alert", () => {
  expect(alerts.map(({ alert }) => alert).toSorted()).toEqual(sections.toSorted());
});

test("inhibitions.yml names only existing alerts, and no alert inhibits itself", () => {
  const { inhibit_rules: rules } = parse(readFileSync(join(docs, "reference/inhibitions.yml"), "utf8")) as {
    readonly inhibit_rules: readonly Readonly<Record<"source_matchers" | "target_matchers" | "equal", string[]>>[];
  };
  const known = new Set(alerts.map(({ alert }) => alert));
  for (const { source_matchers: sources, target_matchers: targets, equal } of rules) {
    const [causes, symptoms] = [sources, targets].map((matchers) =>
      matchers.flatMap((matcher) => /^alertname =~? "(?<names>[\w|]+)"$/.exec(matcher)!.groups!["names"]!.split("|")),
    );
    expect([...causes!, ...symptoms!].filter((name) => !known.has(name))).toEqual([]);
    expect(causes!.filter((name) => symptoms!.includes(name))).toEqual([]);
    expect(equal).toEqual(["namespace", "job"]);
  }
});

test("the runbook URL of every alert leads to its section in respond-to-alerts.md", () => {
  for (const { alert, annotations } of alerts)
    expect(annotations.runbook_url).toBe(`docs/guides/running/respond-to-alerts.md#${alert.toLowerCase()}`);
});

test.each(alerts)("the alert $alert is evaluated separately per deployment", ({ expr }) => {
  // `namespace` and `job` identify a deployment. Prometheus adds both to all metrics of a process.
  const groupings = parsePromqlGroupings(expr).map((labels) => labels.slice(0, 2).join());
  expect([...new Set(groupings)]).toEqual(["namespace,job"]);
  // `absent` covers all deployments: if one deployment lacks the metric but another has it, the alert does not fire.
  expect(expr).not.toContain("absent");
  expect(parsePromqlSelectors(expr).filter(({ metric }) => !/^reports?_/.test(metric))).toEqual([]);
});

let pages: readonly [worker: string, api: string];
let page: string;
beforeAll(async () => {
  pages = await metricsOfBoth();
  page = pages.join("\n");
  // Longer than both processes may take to start.
}, 300_000);

test("`pnpm generate metric-table` writes docs/reference/metrics.md", async () => {
  const file = join(docs, "reference/metrics.md");
  const text = readFileSync(file, "utf8");
  const written = text.replace(
    /(<!-- begin metrics -->\n)[^]*?(<!-- end -->)/,
    (_, begin: string, end: string) => `${begin}\n${renderMetricTable(...pages, text)}\n\n${end}`,
  );
  await expect(written).toMatchFileSnapshot(file);
});

test("a new API and worker export every metric of the alerts, counters at 0", () => {
  const missing = alerts
    .flatMap(({ expr }) => parsePromqlSelectors(expr))
    .flatMap((selector) => missingOn(page, selector));
  expect(missing).toEqual([]);
});

const promtool = findProgramPath("promtool");

interface Scenarios {
  readonly rule_files: readonly string[];
  readonly tests: readonly { readonly promql_expr_test: readonly { readonly eval_time: string }[] }[];
}

/** Returns the scenarios. Outside of CI, only those of at most 20 minutes, because promtool evaluates all alerts for each minute of a scenario. */
function readScenarios(): Scenarios {
  const folder = import.meta.dirname;
  const all = parse(readFileSync(join(folder, "alert-scenarios.yml"), "utf8"), { merge: true }) as Scenarios;
  const isShort = ({ eval_time: time }: { readonly eval_time: string }): boolean =>
    time.endsWith("m") && Number.parseInt(time, 10) <= 20;
  return {
    ...all,
    rule_files: all.rule_files.map((path) => join(folder, path)),
    tests: all.tests.filter(({ promql_expr_test: expected }) => isFullTestRun || expected.every(isShort)),
  };
}

test.skipIf(!isAvailableOrThrowInCi("promtool (apt-get install prometheus)", promtool !== null))(
  "in each scenario of alert-scenarios.yml, exactly the expected alerts fire",
  ({ onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), "alert-scenarios-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "scenarios.yml");
    writeFileSync(file, JSON.stringify(readScenarios()));
    const output = execFileSync(promtool!, ["test", "rules", file]);
    expect(output.toString()).toContain("SUCCESS");
  },
);

test.skipIf(!isAvailableOrThrowInCi("promtool (apt-get install prometheus)", promtool !== null))(
  "promtool finds no fault in the metrics of a new API and worker",
  () => {
    for (const text of pages) expect(findMetricFaults(promtool!, text)).toEqual([]);
  },
);

/**
 * Returns the metric or the series of a selector that the page lacks. A gauge may lack series. A counter must exist before its first increment,
 * because Prometheus would miss the increment.
 */
function missingOn(page: string, { metric, matches, listed }: MetricSelector): string[] {
  const kind = new RegExp(`^# TYPE ${metric} (\\w+)$`, "m").exec(page)?.[1];
  if (kind === undefined) return [metric];
  const lines = [...page.matchAll(new RegExp(`^${metric}(?:\\{(.*)\\})? `, "gm"))];
  const series: Record<string, string>[] = lines.map(([, labels = ""]) =>
    Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!])),
  );
  const values = listed.flatMap(([label, all]) => all.map((value) => [label, value] as const));
  const unknown = values.filter(([label, value]) => !series.some((labels) => labels[label] === value));
  return [
    ...unknown.map(([label, value]) => `${metric}{${label}="${value}"}`),
    ...(kind === "counter" && !series.some(matches) ? [`any series of ${metric}`] : []),
  ];
}

/**
 * Returns a page of metrics on which every gauge could be read. A read that takes long on a busy machine leaves out its gauge, and the next page
 * counts this failure.
 */
async function readWholePage(url: string): Promise<string> {
  const failuresOn = (text: string): string => text.match(/^reports_metrics_read_failures_total.*$/gm)!.join("\n");
  let previous: string | null = null;
  return waitFor(
    async () => {
      const text = await (await fetch(url)).text();
      const last = previous;
      previous = text;
      // For a second, the process serves the same text again, which shows nothing new.
      return last !== null && last !== text && failuresOn(last) === failuresOn(text) && last;
    },
    { what: "metrics without a failed read", timeoutMs: 120_000 },
  );
}

async function metricsOfBoth(): Promise<[worker: string, api: string]> {
  await using database = await cloneDemoDatabase();
  await using stand = await startStand({
    database,
    store: "folder",
    apis: 1,
    workers: 1,
    environment: {
      WORKER_CONCURRENCY: "1",
      WEBHOOK_KEY: randomBytes(32).toString("base64"),
      PUBLIC_URL: "https://reports.example",
      // An issuer is configured but not reachable. Its metrics must exist anyway.
      AUTH_JWKS_URL: "http://127.0.0.1:1/keys",
      AUTH_ISSUER: "http://127.0.0.1:1",
      AUTH_AUDIENCE: "reports",
    },
  });
  const [worker, api] = [...stand.workers, ...stand.apis].map(async ({ origin }) => readWholePage(`${origin}/metrics`));
  return [await worker!, await api!];
}
