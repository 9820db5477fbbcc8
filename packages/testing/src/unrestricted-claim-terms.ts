import type { ClaimTerms } from "@reports/core/report";

export const unrestrictedClaimTerms: Pick<ClaimTerms, "refusalOf" | "delayOf"> = {
  refusalOf: () => null,
  delayOf: () => 0,
};
