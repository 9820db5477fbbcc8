/** What became of one invariant. */
export interface Finding {
  /** Such as `I3`. */
  readonly name: string;
  /** What must hold. */
  readonly claim: string;
  /** What was looked at, in numbers. */
  readonly seen: string;
  /** Each with the report that it is about, where there is one. */
  readonly violations: readonly { readonly reportId: string | null; readonly what: string }[];
}

/** Makes a finding out of its violations. */
export function finding(
  name: string,
  claim: string,
  seen: string,
  violations: readonly (readonly [reportId: string | null, what: string])[],
): Finding {
  return { name, claim, seen, violations: violations.map(([reportId, what]) => ({ reportId, what })) };
}
