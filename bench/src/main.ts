import { mkdir, mkdtempDisposable } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkoutFolder } from "@reports/testing";
import { startBenchPostgres } from "./data-set.ts";
import { runProgram } from "./programs.ts";
import { describeMachine, writeSectionResult, printResultLines, writeResultsPage } from "./results.ts";
import type { BenchSection } from "./bench-section.ts";
import { attemptCostSection } from "./sections/attempt-cost-section.ts";
import { backlogSection } from "./sections/backlog-section.ts";
import { manyCallersSection } from "./sections/many-callers-section.ts";
import { downloadsSection } from "./sections/downloads-section.ts";
import { exceljsSection } from "./sections/exceljs-section.ts";
import { rowSnapshotSection } from "./sections/kept-rows.ts";
import { apiLatencySection } from "./sections/api-latency-section.ts";
import { manyStartsSection } from "./sections/many-starts-section.ts";
import { memorySection } from "./sections/memory-section.ts";
import { nativePeersSection } from "./sections/native-peers-section.ts";
import { pdfSection } from "./sections/pdf-section.ts";
import { readLimiterSection } from "./sections/read-limiter-section.ts";
import { inventoryReadsSection } from "./sections/inventory-reads-section.ts";
import { reconcileSection } from "./sections/reconcile-section.ts";
import { reportListsSection } from "./sections/report-lists-section.ts";
import { smallReportsSection } from "./sections/small-reports-section.ts";
import { startsSection } from "./sections/starts-section.ts";
import { largeRowFilesSection } from "./sections/large-row-files-section.ts";
import { taggedPdfSection } from "./sections/tagged-pdf-section.ts";

const sections: readonly BenchSection[] = [
  smallReportsSection,
  startsSection,
  attemptCostSection,
  manyStartsSection,
  manyCallersSection,
  backlogSection,
  inventoryReadsSection,
  reportListsSection,
  reconcileSection,
  readLimiterSection,
  largeRowFilesSection,
  exceljsSection,
  pdfSection,
  taggedPdfSection,
  nativePeersSection,
  rowSnapshotSection,
  downloadsSection,
  apiLatencySection,
  memorySection,
];
const usage = `pnpm bench [--rounds 5] [--domains 1000000] [--backlog 100000] [--short] [--only ${sections.map(({ name }) => name).join(",")}] [--data DIR]
pnpm bench --document

Builds API and worker, fills a Postgres in DIR (kept for the next run), measures, prints the results, and writes bench/results.md.
--short: three rounds and 20,000 domains unless these are given. --section is another name of --only.
Sections that are left out keep the result of their last run (bench/results). --document writes bench/results.md from results and
notes, and measures nothing. Measuring needs psql, pgbench and gzip. The section peers also needs unzip and pdftotext, and compiles
programs into DIR with cargo and go. It leaves out the programs of a missing compiler.`;

const { values } = parseArgs({
  options: {
    rounds: { type: "string" },
    domains: { type: "string" },
    short: { type: "boolean", default: false },
    backlog: { type: "string", default: "100000" },
    only: { type: "string" },
    section: { type: "string" },
    data: { type: "string", default: join(tmpdir(), "reports-bench") },
    document: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const chosenSections = (values.only ?? values.section)?.split(",");
const { rounds: roundsText = values.short ? "3" : "5", domains: domainsText = values.short ? "20000" : "1000000" } =
  values;
const unknownSection = chosenSections?.find((name) => !sections.some((section) => section.name === name));
const numericValues = [Number(roundsText), Number(domainsText), Number(values.backlog)] as const;
if (
  values.help ||
  unknownSection !== undefined ||
  !numericValues.every((number) => Number.isSafeInteger(number) && number > 0)
) {
  console.log(usage);
  process.exit(values.help ? 0 : 64);
}
if (values.document) {
  await writeResultsPage(sections);
  process.exit(0);
}
const [rounds, domains, waiting] = numericValues;

await mkdir(values.data, { recursive: true });
console.error("Building API and worker.");
const apps = ["apps/api", "apps/worker"].map((app) => join(checkoutFolder, app));
await runProgram(join(checkoutFolder, "node_modules/.bin/tsc"), ["-b", ...apps]);
await using server = await startBenchPostgres(values.data);
await using folder = await mkdtempDisposable(join(tmpdir(), "reports-bench-run-"));
for (const section of sections) {
  if (chosenSections?.includes(section.name) === false) continue;
  console.error(`${section.name}:`);
  const [loadBefore] = loadavg();
  const lines = await section.run({
    server,
    rounds,
    domains,
    backlog: waiting,
    folder: folder.path,
    dataFolder: values.data,
  });
  printResultLines(lines);
  const [at, machine] = [new Date().toISOString(), describeMachine(server.postgres.major)];
  await writeSectionResult({ section: section.name, rounds, domains, at, machine, loadBefore: loadBefore!, lines });
}
await writeResultsPage(sections);
