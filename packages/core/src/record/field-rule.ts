/** Returns zod's error option for a field. `must` says what is allowed, in words that follow the field's name. */
export function ruleErrorOption(must: string): { error: (issue: { input?: unknown }) => string } {
  return { error: (issue) => (issue.input === undefined ? `is required and ${must}` : must) };
}

export function toRuleMeta(must: string): { description: string } {
  return { description: `${must[0]!.toUpperCase()}${must.slice(1)}.` };
}
