import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dashboardRows, type DashboardPanel, type PanelQuery } from "./panels.ts";

const matchers = 'namespace=~"$namespace", job=~"$job"';
const datasource = { type: "prometheus", uid: "${datasource}" };
/** Width of a panel in the 24 columns of Grafana's grid, and its height in grid rows of 30 px. */
const size = { w: 8, h: 8 };
const perLine = 24 / size.w;

export interface DocumentedMetric {
  readonly labels: readonly string[];
  readonly meaning: string;
}

export function readDocumentedMetrics(): ReadonlyMap<string, DocumentedMetric> {
  const page = readFileSync(join(import.meta.dirname, "../../docs/reference/metrics.md"), "utf8");
  const lines = page.matchAll(/^\| `(?<name>\w+)` \| \w+ \| \w+ \| (?<labels>.*?) ?\| (?<meaning>[^|]+) \|$/gm);
  return new Map(
    [...lines].map(({ groups }) => [
      groups!["name"]!,
      { labels: [...groups!["labels"]!.matchAll(/\w+/g)].map(([label]) => label), meaning: groups!["meaning"]! },
    ]),
  );
}

export function readMetricName({ expr }: PanelQuery): string {
  return /(\w+?)(?:_bucket)?\{\$by\}/.exec(expr)![1]!;
}

export function renderPanelExpression({ expr }: PanelQuery, by = matchers, range = "$__rate_interval"): string {
  return expr.replaceAll("$by", by).replaceAll("$rate", range);
}

export function renderDashboard(): string {
  const metrics = readDocumentedMetrics();
  let y = 0;
  let id = 0;
  const panels = dashboardRows.flatMap((row) => {
    const top = y;
    y += 1 + Math.ceil(row.panels.length / perLine) * size.h;
    return [
      { id: ++id, type: "row", title: row.title, collapsed: false, gridPos: { x: 0, y: top, w: 24, h: 1 }, panels: [] },
      ...row.panels.map((panel, index) => ({
        id: ++id,
        ...renderPanel(panel, metrics),
        gridPos: { x: (index % perLine) * size.w, y: top + 1 + Math.floor(index / perLine) * size.h, ...size },
      })),
    ];
  });
  const dashboard = {
    uid: "report-gateway",
    title: "Report Gateway",
    description: "Reports, queue, API, files, schedules, webhooks and processes of one deployment.",
    tags: ["report-gateway"],
    schemaVersion: 39,
    editable: true,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    templating: {
      list: [
        datasourceVariable,
        variable("namespace", "report_build_info"),
        variable("job", 'report_build_info{namespace=~"$namespace"}'),
      ],
    },
    panels,
  };
  const text = JSON.stringify(dashboard, null, 2).replace('[\n    "report-gateway"\n  ]', '["report-gateway"]');
  return `${text}\n`;
}

/** Without `axisSoftMax`, Grafana shows an axis up to 100 for a panel whose values are all 0. */
function renderPanel(panel: DashboardPanel, metrics: ReadonlyMap<string, DocumentedMetric>) {
  const described = [...new Set(panel.queries.map(readMetricName))].flatMap((name) => {
    const metric = metrics.get(name);
    return metric === undefined ? [] : [`${name}: ${metric.meaning}`];
  });
  return {
    type: "timeseries",
    title: panel.title,
    description: described.join("\n\n"),
    datasource,
    fieldConfig: {
      defaults: { unit: panel.unit, min: 0, custom: { axisSoftMax: panel.unit === "s" ? 0.01 : 1 } },
      overrides: [],
    },
    options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
    targets: panel.queries.map((query, index) => ({
      refId: String.fromCodePoint(65 + index),
      datasource,
      expr: renderPanelExpression(query),
      legendFormat: query.legend,
    })),
  };
}

const datasourceVariable = { name: "datasource", label: "Data source", type: "datasource", query: "prometheus" };

/**
 * Returns a dashboard variable with the values of a label. Its choice "All" also matches series without the label, as they exist outside of
 * Kubernetes.
 */
function variable(label: string, selector: string) {
  return {
    name: label,
    label,
    type: "query",
    datasource,
    query: { query: `label_values(${selector}, ${label})`, refId: label },
    includeAll: true,
    allValue: ".*",
    current: { text: "All", value: "$__all" },
    refresh: 2,
  };
}
