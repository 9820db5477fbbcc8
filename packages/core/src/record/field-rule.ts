/**
 * The message of a field: what is allowed, in words that follow the field's name.
 * The same words describe the field in JSON Schema.
 */
export function allow(must: string): { error: (issue: { input?: unknown }) => string } {
  return { error: (issue) => (issue.input === undefined ? `is required and ${must}` : must) };
}

/** The same words as the description of the field. */
export function describe(must: string): { description: string } {
  return { description: `${must[0]!.toUpperCase()}${must.slice(1)}.` };
}
