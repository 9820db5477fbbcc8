import type { Caller, SeenReport } from "../load/caller.ts";
import { variants } from "../load/variants.ts";
import { waitFor } from "@reports/testing";
import { commonParts, fingerprint, type Fingerprint } from "./fingerprint.ts";

/** What the file of each variant must show, by the variant's name. */
export type References = ReadonlyMap<string, { readonly rowCount: number | null; readonly parts: Fingerprint }>;

/** Runs every variant twice before anything is broken, and keeps what both files show. */
export async function makeReferences(caller: Caller, seed: number): Promise<References> {
  const references = await Promise.all(
    variants.map(async ({ name, request }) => {
      const [one, other] = await Promise.all(
        [1, 2].map(async (copy) => {
          const id = await caller.start(request, `reference-${seed}-${copy}-${name.replaceAll(/[^A-Za-z0-9-]/g, "-")}`);
          const { rowCount } = await waitFor(async () => ifSucceeded(await caller.look(request.reportType, id)), {
            what: `the undisturbed ${name}`,
            timeoutMs: 120_000,
            intervalMs: 500,
          });
          const answer = await caller.download(request.reportType, id);
          return { rowCount, parts: fingerprint(Buffer.from(await answer.arrayBuffer()), request) };
        }),
      );
      const parts = commonParts(one!.parts, other!.parts);
      if (parts.size === 0 || one!.rowCount !== other!.rowCount)
        throw new Error(`Two undisturbed runs of ${name} have nothing in common.`);
      return [name, { rowCount: one!.rowCount, parts }] as const;
    }),
  );
  return new Map(references);
}

function ifSucceeded(seen: Awaited<ReturnType<Caller["look"]>>): SeenReport | null {
  if (seen !== null && seen !== "deleted" && (seen.status === "FAILED" || seen.status === "CANCELLED")) {
    throw new Error(`The undisturbed report ${seen.id} ended ${seen.status}.`);
  }
  return seen !== null && seen !== "deleted" && seen.status === "SUCCEEDED" ? seen : null;
}
