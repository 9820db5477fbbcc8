import type { Caller, SeenReport } from "../load/caller.ts";
import type { Variant } from "../load/variants.ts";
import type { Stand } from "../stand/stand.ts";
import { waitFor } from "@reports/testing";
import { selectCommonParts, fingerprint, type Fingerprint } from "./fingerprint.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";

export type References = ReadonlyMap<string, { readonly rowCount: number | null; readonly parts: Fingerprint }>;

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
          const { rowCount } = await waitFor(async () => ifSucceeded(await caller.read(id)), {
            what: `the undisturbed ${variant}`,
            timeoutMs: 240_000,
            intervalMs: 500,
          });
          const response = await caller.download(request.reportType, id);
          return { rowCount, parts: fingerprint(Buffer.from(await response.arrayBuffer()), request) };
        }),
      );
      const parts = selectCommonParts(one!.parts, other!.parts);
      if (parts.size === 0 || one!.rowCount !== other!.rowCount)
        throw new Error(`Two undisturbed runs of ${variant} have nothing in common.`);
      return [variant, { rowCount: one!.rowCount, parts }] as const;
    }),
  );
  return new Map(references);
}

/**
 * Ends the faults, runs every variant again, and waits until the stand is idle. Returns the parts of files that were equal before and after the load.
 * Other parts depend on the date.
 */
export async function finishWithReferences(
  { stand, caller, seed, before }: { stand: Stand; caller: Caller; seed: number; before: References },
  variants: readonly Variant[],
  timeoutMs: number,
): Promise<References> {
  const idle = waitUntilIdle(stand, timeoutMs);
  await Promise.all(stand.apis.map(async (api) => api.ready()));
  const [after] = await Promise.all([makeReferences(caller, seed, variants, "after"), idle]);
  // A report ends a moment before the worker removes its job.
  await waitUntilIdle(stand, 30_000);
  return new Map(
    [...before].map(([variant, { rowCount, parts }]) => [
      variant,
      { rowCount, parts: selectCommonParts(parts, after.get(variant)!.parts) },
    ]),
  );
}

function ifSucceeded(seen: Awaited<ReturnType<Caller["read"]>>): SeenReport | null {
  if (seen !== null && seen !== "deleted" && (seen.status === "FAILED" || seen.status === "CANCELLED")) {
    throw new Error(`The undisturbed report ${seen.id} ended ${seen.status}.`);
  }
  return seen !== null && seen !== "deleted" && seen.status === "SUCCEEDED" ? seen : null;
}
