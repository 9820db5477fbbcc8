import { findCountProblems, findNameProblems, quoteValue } from "./definition-rules.ts";

/** Largest number of former names of one column or filter. Each rename adds one, so no definition should reach the limit. */
const maxFormerNames = 20;

interface NamedPart {
  readonly name: string;
  readonly formerly?: readonly string[] | undefined;
}

export function findFormerNameProblems(what: "column" | "filter", parts: readonly NamedPart[]): string[] {
  const problems: string[] = [];
  const current = new Set(parts.map(({ name }) => name));
  const claimedBy = new Map<string, string>();
  for (const { name, formerly } of parts) {
    if (formerly === undefined) continue;
    const on = `${what} ${quoteValue(name)}`;
    problems.push(...findCountProblems(`names in formerly of ${on}`, formerly, 1, maxFormerNames));
    for (const former of formerly) {
      problems.push(...findNameProblems(`${on}: its former name`, former));
      const other = claimedBy.get(former);
      if (current.has(former))
        problems.push(`${on}: formerly has ${quoteValue(former)}, which is the name of a ${what} now.`);
      else if (other === name) problems.push(`${on}: formerly has ${quoteValue(former)} twice.`);
      else if (other !== undefined)
        problems.push(`${on}: formerly has ${quoteValue(former)}, which ${what} ${quoteValue(other)} has too.`);
      claimedBy.set(former, name);
    }
  }
  return problems;
}
