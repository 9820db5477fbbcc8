import type { ClaimTerms } from "@reports/core/report";

/** Claims of a worker that knows every report type. */
export const servesEverything: Pick<ClaimTerms, "refusalOf" | "delayOf"> = {
  refusalOf: () => null,
  delayOf: () => 0,
};
