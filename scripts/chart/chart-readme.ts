import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, parseDocument, type Pair, type Scalar, type YAMLMap } from "yaml";

const chart = join(import.meta.dirname, "../../deploy/chart");

type Value = Pair<Scalar<string>, Scalar | YAMLMap>;

export function renderChartReadme(): string {
  const values = parseDocument(readFileSync(join(chart, "values.yaml"), "utf8")).contents as YAMLMap;
  const groups = entriesOf(values).filter(([{ value }]) => isGroup(value));
  const single = entriesOf(values).filter(([{ value }]) => !isGroup(value));
  return [
    "<!-- Written by `pnpm generate chart-readme` from values.yaml. -->",
    "# report-gateway",
    "",
    "A Helm chart of the API and the worker of the Report Gateway. Postgres and a file store must exist. [The guide](../../docs/guides/running/kubernetes.md) shows the Secrets, the installation and upgrades. The folder [`ci`](ci) has values for five kinds of installations, and [`golden`](golden) their manifests.",
    "",
    "## All components",
    "",
    ...table(single.flatMap(([pair, about]) => rowsOf(pair, about, ""))),
    ...groups.flatMap(([{ key, value }, about]) => [
      `## \`${key.value}\``,
      "",
      ...(about === "" ? [] : [about, ""]),
      ...table(entriesOf(value as YAMLMap).flatMap(([pair, says]) => rowsOf(pair, says, `${key.value}.`))),
    ]),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

/**
 * Returns the entries of a map, each with its comment. The YAML parser attaches the comment above the first entry to the map, so that comment is read
 * there.
 */
function entriesOf(map: YAMLMap): [Value, string][] {
  return (map.items as Value[]).map((pair, at) => [
    pair,
    commentText(pair.key.commentBefore ?? (at === 0 ? map.commentBefore : undefined) ?? ""),
  ]);
}

function commentText(comment: string): string {
  const lines = comment.split("\n").filter((line) => !/^ {2,}- /.test(line));
  return lines
    .map((line) => line.trim())
    .join(" ")
    .trim()
    .replaceAll("|", "\\|");
}

function isGroup(value: Scalar | YAMLMap | null): value is YAMLMap {
  return isMap(value) && value.items.length > 0 && value.flow !== true;
}

function rowsOf({ key, value }: Value, about: string, prefix: string): string[] {
  const path = `${prefix}${key.value}`;
  if (key.value === "resources" || !isGroup(value)) {
    const written = JSON.stringify(value!.toJSON()).replaceAll("|", "\\|");
    return [`| \`${path}\` | \`${written}\` | ${about} |`];
  }
  const rows = entriesOf(value).flatMap(([pair, says]) => rowsOf(pair, says, `${path}.`));
  return about === "" ? rows : [`| \`${path}\` | | ${about} |`, ...rows];
}

function table(rows: readonly string[]): string[] {
  return ["| value | default | meaning |", "|---|---|---|", ...rows, ""];
}
