export interface InvariantResult {
  readonly name: string;
  readonly claim: string;
  readonly seen: string;
  readonly violations: readonly { readonly reportId: string | null; readonly what: string }[];
}

export function createInvariantResult(
  name: string,
  claim: string,
  seen: string,
  violations: readonly (readonly [reportId: string | null, what: string])[],
): InvariantResult {
  return { name, claim, seen, violations: violations.map(([reportId, what]) => ({ reportId, what })) };
}
