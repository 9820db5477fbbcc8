export interface Finding {
  readonly name: string;
  readonly claim: string;
  /** Number of the things that were checked, as printed with the finding: `5 checks`. */
  readonly seen: string;
  readonly violations: readonly { readonly reportId: string | null; readonly what: string }[];
}

export function createFinding(
  name: string,
  claim: string,
  seen: string,
  violations: readonly (readonly [reportId: string | null, what: string])[],
): Finding {
  return { name, claim, seen, violations: violations.map(([reportId, what]) => ({ reportId, what })) };
}
