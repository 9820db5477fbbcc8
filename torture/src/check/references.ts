import type { Caller, SeenReport } from "../load/caller.ts";
import type { Variant } from "../load/variants.ts";
import { waitFor } from "@reports/testing";
import { commonParts, fingerprint, type Fingerprint } from "./fingerprint.ts";

/** What the file of each variant must show, by the variant's name. */
export type References = ReadonlyMap<string, { readonly rowCount: number | null; readonly parts: Fingerprint }>;

/** Runs every variant twice while nothing is broken, and keeps what both files show. `name` tells these runs from others of the seed. */
export async function makeReferences(
  caller: Caller,
  seed: number,
  variants: readonly Variant[],
  name = "before",
): Promise<References> {
  const references = await Promise.all(
    variants.map(async ({ name: variant, request }) => {
      const [one, other] = await Promise.all(
        [1, 2].map(async (copy) => {
          const id = await caller.start(
            request,
            `reference-${name}-${seed}-${copy}-${variant.replaceAll(/[^A-Za-z0-9-]/g, "-")}`,
          );
          const { rowCount } = await waitFor(async () => ifSucceeded(await caller.look(request.reportType, id)), {
            what: `the undisturbed ${variant}`,
            timeoutMs: 120_000,
            intervalMs: 500,
          });
          const answer = await caller.download(request.reportType, id);
          return { rowCount, parts: fingerprint(Buffer.from(await answer.arrayBuffer()), request) };
        }),
      );
      const parts = commonParts(one!.parts, other!.parts);
      if (parts.size === 0 || one!.rowCount !== other!.rowCount)
        throw new Error(`Two undisturbed runs of ${variant} have nothing in common.`);
      return [variant, { rowCount: one!.rowCount, parts }] as const;
    }),
  );
  return new Map(references);
}

/**
 * What the variants showed both before and after everything: a summary tells of days left, and in a long run one of them goes by.
 */
export function commonReferences(before: References, after: References): References {
  return new Map(
    [...before].map(([variant, { rowCount, parts }]) => [
      variant,
      { rowCount, parts: commonParts(parts, after.get(variant)!.parts) },
    ]),
  );
}

function ifSucceeded(seen: Awaited<ReturnType<Caller["look"]>>): SeenReport | null {
  if (seen !== null && seen !== "deleted" && (seen.status === "FAILED" || seen.status === "CANCELLED")) {
    throw new Error(`The undisturbed report ${seen.id} ended ${seen.status}.`);
  }
  return seen !== null && seen !== "deleted" && seen.status === "SUCCEEDED" ? seen : null;
}
