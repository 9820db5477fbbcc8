import type { Ledger } from "../load/ledger.ts";

export function findRecordedViolations(
  { breaches }: Pick<Ledger, "breaches">,
  name: string,
): (readonly [string | null, string])[] {
  return breaches.filter((breach) => breach.name === name).map(({ reportId, what }) => [reportId, what]);
}
