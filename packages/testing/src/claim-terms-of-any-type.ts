import type { ClaimTerms } from "@reports/core/report";

export const claimTermsOfAnyType: Pick<ClaimTerms, "refusalOf" | "delayOf"> = {
  refusalOf: () => null,
  delayOf: () => 0,
};
