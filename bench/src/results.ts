import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import { join } from "node:path";
import { checkoutFolder } from "@reports/testing";
import type { ResultLine, BenchSection } from "./bench-section.ts";

export interface SectionResult {
  readonly section: string;
  readonly rounds: number;
  readonly domains: number;
  readonly at: string;
  readonly machine: string;
  /** Load average of the last minute when the section began. Other work on the machine causes most of it. Older results lack the field. */
  readonly loadBefore?: number;
  readonly lines: readonly ResultLine[];
}

const documentFile = join(checkoutFolder, "bench/results.md");
const notesFolder = join(checkoutFolder, "bench/notes");
/** Folder of the latest results. The repository has them, so that one section can be measured again without the others. */
const resultsFolder = join(checkoutFolder, "bench/results");

export async function writeSectionResult(result: SectionResult): Promise<void> {
  await mkdir(resultsFolder, { recursive: true });
  await writeFile(pathOf(result.section), `${JSON.stringify(result, null, 2)}\n`);
}

export function printResultLines(lines: readonly ResultLine[]): void {
  for (const { work, goal, seen, met, compared } of lines)
    console.log(`${verdictText(met).padEnd(7)} ${work}: ${seen} (goal ${goal}); ${compared}`);
}

export function describeMachine(postgresMajor: number): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const processors = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"})`;
  return `${processors}, ${memory}, Linux ${release().split(".", 2).join(".")}, Node ${process.versions.node}, Postgres ${postgresMajor}`;
}

export async function writeResultsPage(sections: readonly BenchSection[]): Promise<void> {
  const found = sections
    .filter(({ name }) => existsSync(pathOf(name)))
    .map((section) => ({
      section,
      result: JSON.parse(readFileSync(pathOf(section.name), "utf8")) as SectionResult,
    }));
  const rows = found.flatMap(({ result }) =>
    result.lines.map(({ work, goal, seen, met }) => row([work, goal, seen, verdictText(met)])),
  );
  const parts = found.map(({ section, result }) => describeSection(section, result));
  const text = `# Benchmarks

The real API and worker, as built, on a Postgres and files on the same disk. Written by \`pnpm bench\` from its latest results and from the notes in \`bench/notes\`.

${noteOf("reading-this")}

| work | goal | seen | |
|---|---|---|---|
${rows.join("\n")}

${parts.join("\n\n")}
`;
  await writeFile(documentFile, text);
}

function describeSection(
  { name, title }: BenchSection,
  { at, rounds, domains, machine, loadBefore, lines }: SectionResult,
): string {
  const load = loadBefore === undefined ? "" : ` Load average before: ${loadBefore.toFixed(1)}.`;
  const measured = `\`pnpm bench --only ${name}\`, ${rounds} ${rounds === 1 ? "round" : "rounds"}, ${domains.toLocaleString("en")} domains, ${at.slice(0, 10)}, ${machine}.${load}`;
  const how = lines.map(({ work, seen, compared }) => `- ${work}: **${seen}**\n  - ${compared}.`).join("\n");
  return [`## ${title}`, measured, how, noteOf(name)].filter((part) => part !== "").join("\n\n");
}

function noteOf(name: string): string {
  const path = join(notesFolder, `${name}.md`);
  // A note is in bench/notes, but its text becomes part of bench/results.md, one folder higher.
  return existsSync(path) ? readFileSync(path, "utf8").trim().replaceAll("](../../", "](../") : "";
}

function pathOf(section: string): string {
  return join(resultsFolder, `${section}.json`);
}

function verdictText(met: boolean | undefined): string {
  if (met === undefined) return "";
  return met ? "met" : "not met";
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
}
