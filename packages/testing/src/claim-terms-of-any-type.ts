import type { ClaimTerms } from "@reports/core/report";

/** Claim terms of a worker that serves every report type. */
export const claimTermsOfAnyType: Pick<ClaimTerms, "refusalOf" | "delayOf"> = {
  refusalOf: () => null,
  delayOf: () => 0,
};
