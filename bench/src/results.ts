import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import { join } from "node:path";
import { root } from "./programs.ts";
import type { Line } from "./section.ts";

/** What a section found, and how. */
export interface SectionResult {
  readonly section: string;
  readonly rounds: number;
  readonly domains: number;
  /** RFC 3339. */
  readonly at: string;
  readonly lines: readonly Line[];
}

const document = join(root, "docs/benchmarks.md");
const notes = join(root, "bench/notes.md");
/** In the repository, so that a section can be measured by itself, at any time and on any machine, without losing the others. */
const results = join(root, "bench/results");

/** Keeps the latest result of a section. */
export async function keepResult(result: SectionResult): Promise<void> {
  await mkdir(results, { recursive: true });
  await writeFile(pathOf(result.section), `${JSON.stringify(result, null, 2)}\n`);
}

/** Prints lines for whoever waits for them. */
export function printLines(lines: readonly Line[]): void {
  for (const { work, goal, seen, met, compared } of lines)
    console.log(`${verdict(met).padEnd(7)} ${work}: ${seen} (goal ${goal}); ${compared}`);
}

/** Writes docs/benchmarks.md out of the latest result of every section. */
export async function writeDocument(sections: readonly string[], postgresMajor: number): Promise<void> {
  const found = sections
    .filter((section) => existsSync(pathOf(section)))
    .map((section) => JSON.parse(readFileSync(pathOf(section), "utf8")) as SectionResult);
  const rows = found.flatMap(({ lines }) =>
    lines.map(({ work, goal, seen, met, compared }) => row([work, goal, seen, verdict(met), compared])),
  );
  const times = found.map(
    ({ section, at, rounds, domains }) =>
      `${section}: ${at.slice(0, 16).replace("T", " ")} UTC, ${rounds} rounds, ${domains.toLocaleString("en")} domains`,
  );
  const text = `# Benchmarks

Written by \`pnpm bench\`; what stands under "Notes" is kept in bench/notes.md.

The real API and worker, as built, on Postgres ${postgresMajor} and files on the same disk; ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, Linux ${release()}. Ways of doing the same work took turns, round by round; a ratio is the median of the rounds' ratios, a time the median of the rounds. Times mean nothing elsewhere, ratios do.

| work | goal | seen | | compared |
|---|---|---|---|---|
${rows.join("\n")}

Measured ${times.join("; ")}.

## Notes

${existsSync(notes) ? readFileSync(notes, "utf8").trim() : "None."}
`;
  await writeFile(document, text);
}

function pathOf(section: string): string {
  return join(results, `${section}.json`);
}

function verdict(met: boolean | undefined): string {
  if (met === undefined) return "";
  return met ? "met" : "not met";
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
}
