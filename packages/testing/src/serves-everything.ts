import type { ClaimTerms } from "@reports/core/report";

/** What a worker that knows every report says at a claim. */
export const servesEverything: Pick<ClaimTerms, "refusalOf" | "delayOf"> = {
  refusalOf: () => null,
  delayOf: () => 0,
};
