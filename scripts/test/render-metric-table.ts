interface Metric {
  readonly name: string;
  readonly type: string;
  readonly labels: string;
  readonly process: string;
  readonly meaning: string;
}

/**
 * Returns the table of metrics from the /metrics responses of both processes. A metric without series shows no labels there, so its labels come from
 * the page.
 */
export function renderMetricTable(worker: string, api: string, page: string): string {
  const ofWorker = readMetrics(worker);
  const ofApi = readMetrics(api);
  const names = [...new Set([...ofWorker.keys(), ...ofApi.keys()])].toSorted();
  const rows = names.map((name) => {
    const metric = ofApi.get(name) ?? ofWorker.get(name)!;
    const process = ofApi.has(name) && ofWorker.has(name) ? "both" : ofApi.has(name) ? "API" : "worker";
    const written = new RegExp(`^\\| \`${name}\` \\| \\w+ \\| \\w+ \\| (.*?) \\|`, "m").exec(page)?.[1] ?? "";
    const labels = ofApi.get(name)?.labels ?? ofWorker.get(name)?.labels ?? written;
    return row({ name, process, type: metric.type, labels, meaning: metric.meaning });
  });
  return ["| metric | process | type | labels | meaning |", "|---|---|---|---|---|", ...rows].join("\n");
}

function row({ name, process, type, labels, meaning }: Metric): string {
  return `| \`${name}\` | ${process} | ${type} | ${labels} | ${meaning.replaceAll("|", "\\|")} |`;
}

function readMetrics(text: string): Map<string, Omit<Metric, "labels" | "process"> & { readonly labels?: string }> {
  const metrics = [...text.matchAll(/^# HELP (reports?_\w+) (.*)\n# TYPE \w+ (\w+)$/gm)];
  return new Map(
    metrics.map(([, name, meaning, type]) => {
      const series = new RegExp(`^${name!}(?:_count)?(?:\\{(.*)\\})? `, "m").exec(text);
      const labels = [...(series?.[1] ?? "").matchAll(/(\w+)="/g)].map(([, label]) => `\`${label!}\``).join(", ");
      return [name!, { name: name!, type: type!, meaning: meaning!, ...(series === null ? {} : { labels }) }];
    }),
  );
}
