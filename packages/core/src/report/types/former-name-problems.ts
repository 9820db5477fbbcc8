import { problemsOfCount, problemsOfName, quoteValue } from "./definition-rules.ts";

/** A generous limit: each rename of a column or filter adds one former name. */
const maxFormerNames = 20;

interface NamedPart {
  readonly name: string;
  readonly formerly?: readonly string[] | undefined;
}

export function problemsOfFormerNames(what: "column" | "filter", parts: readonly NamedPart[]): string[] {
  const problems: string[] = [];
  const current = new Set(parts.map(({ name }) => name));
  const claimedBy = new Map<string, string>();
  for (const { name, formerly } of parts) {
    if (formerly === undefined) continue;
    const on = `${what} ${quoteValue(name)}`;
    problems.push(...problemsOfCount(`names in formerly of ${on}`, formerly, 1, maxFormerNames));
    for (const former of formerly) {
      problems.push(...problemsOfName(`${on}: its former name`, former));
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
