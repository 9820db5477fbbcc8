import type { ScenarioOutcome } from "./scenarios/scenario.ts";

const shownViolations = 20;
const shownHistories = 10;

export function printScenarioOutcome(
  { findings, figures, snapshot, folder }: ScenarioOutcome,
  say: (line: string) => void,
): boolean {
  for (const line of figures) say(line);
  for (const { name, claim, seen, violations } of findings) {
    say(`${violations.length === 0 ? "held  " : "BROKEN"} ${name.padEnd(3)} ${claim} (${seen})`);
    for (const { reportId, what } of violations.slice(0, shownViolations)) say(`         ${reportId ?? ""} ${what}`);
    if (violations.length > shownViolations) say(`         and ${violations.length - shownViolations} more`);
  }
  const broken = findings.filter(({ violations }) => violations.length > 0);
  const affected = new Set(broken.flatMap(({ violations }) => violations.flatMap(({ reportId }) => reportId ?? [])));
  for (const id of [...affected].slice(0, shownHistories)) {
    const record = snapshot?.records.get(id);
    say(
      `History of ${id} (${record?.reportType ?? "no record"}, ${record?.status ?? "–"}, attempt ${record?.attempt ?? "–"}):`,
    );
    for (const { at, from, to, attempt } of snapshot?.events.get(id) ?? []) {
      say(`         ${at.toISOString()} ${from ?? "–"} → ${to} (attempt ${attempt})`);
    }
  }
  say(
    broken.length === 0
      ? "No invariant is violated."
      : `${broken.length} of ${findings.length} invariants are violated. Logs: ${folder}`,
  );
  return broken.length === 0;
}
