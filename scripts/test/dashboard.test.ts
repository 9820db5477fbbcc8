import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgramPath, isAvailableOrThrowInCi } from "@reports/testing";
import { expect, test } from "vitest";
import {
  renderPanelExpression,
  readMetricName,
  readDocumentedMetrics,
  renderDashboard,
} from "../monitoring/dashboard.ts";
import { dashboardRows } from "../monitoring/panels.ts";

const metrics = readDocumentedMetrics();
const queries = dashboardRows.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries));

test("deploy/chart/files/dashboard.json is what `pnpm generate dashboard` writes", async () => {
  await expect(renderDashboard()).toMatchFileSnapshot(
    join(import.meta.dirname, "../../deploy/chart/files/dashboard.json"),
  );
});

test("the Grafana dashboard shows exactly the service's metrics of the reference", () => {
  const own = queries.map(readMetricName).filter((name) => /^reports?_/.test(name));
  expect([...new Set(own)].toSorted()).toEqual([...metrics.keys()].toSorted());
});

test("every query of the Grafana dashboard names only labels that its metric has", () => {
  const wrong = queries.flatMap((query) => {
    const known = new Set([...(metrics.get(readMetricName(query))?.labels ?? []), "le", "instance"]);
    const inLegend = [...query.legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
    const inGroups = [...query.expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels]) => labels!.split(", "));
    return [...inLegend, ...inGroups].filter((label) => !known.has(label)).map((label) => `${query.expr}: ${label}`);
  });
  expect(wrong).toEqual([]);
});

test("the queries of a Grafana panel have different legends", () => {
  for (const { title, panels } of dashboardRows)
    for (const { title: panel, queries: shown } of panels) {
      const names = shown.map(({ legend }) => legend.replaceAll(/\{\{\w+\}\}/g, "…"));
      expect([title, panel, ...new Set(names)]).toEqual([title, panel, ...names]);
    }
});

test("no legend of the Grafana dashboard is the raw name of a metric", () => {
  const names = queries.map(({ legend }) => legend).filter((legend) => metrics.has(legend));
  expect(names).toEqual([]);
});

const promtool = findProgramPath("promtool");

test.skipIf(!isAvailableOrThrowInCi("promtool (apt-get install prometheus)", promtool !== null))(
  "Prometheus can parse every query of the dashboard",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "reports-dashboard-"));
    const rules = queries.map((query, index) => ({
      record: `panel:${index}`,
      expr: renderPanelExpression(query, 'namespace=~".*", job=~".*"', "5m"),
    }));
    const file = join(folder, "rules.yml");
    // JSON is also valid YAML, which Prometheus reads.
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
    try {
      expect(execFileSync(promtool!, ["check", "rules", file]).toString()).toContain(`${rules.length} rules found`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
