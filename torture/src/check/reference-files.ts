import type { LoadClient } from "../load/load-client.ts";
import { waitUntilSucceeded } from "../load/make-report-and-wait.ts";
import type { ReportVariant } from "../load/report-variants.ts";
import type { TortureStand } from "../stand/torture-stand.ts";
import { selectCommonParts, computeFileFingerprint, type FileFingerprint } from "./file-fingerprint.ts";
import { downloadWhenServed } from "./download-when-served.ts";
import { endFaultsAndWaitUntilIdle } from "./end-faults-and-wait-until-idle.ts";

export type ReferenceFiles = ReadonlyMap<string, { readonly rowCount: number | null; readonly parts: FileFingerprint }>;

export async function makeReferenceFiles(
  caller: LoadClient,
  seed: number,
  variants: readonly ReportVariant[],
  name = "before",
): Promise<ReferenceFiles> {
  const references = await Promise.all(
    variants.map(async ({ name: variant, request }) => {
      const [one, other] = await Promise.all(
        [1, 2].map(async (copy) => {
          const key = `reference-${name}-${seed}-${copy}-${variant.replaceAll(/[^A-Za-z0-9-]/g, "-")}`;
          const id = await caller.start(request, key);
          const { rowCount } = await waitUntilSucceeded(caller, id, {
            what: `the undisturbed ${variant}`,
            timeoutMs: 240_000,
            intervalMs: 500,
          });
          const path = `/v1/report/download?reportType=${request.reportType}&id=${id}`;
          const { content } = await downloadWhenServed(caller, path);
          return { rowCount, parts: computeFileFingerprint(content, request) };
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
export async function endFaultsAndMakeReferences(
  { stand, caller, seed, before }: { stand: TortureStand; caller: LoadClient; seed: number; before: ReferenceFiles },
  variants: readonly ReportVariant[],
  timeoutMs: number,
): Promise<ReferenceFiles> {
  const idle = endFaultsAndWaitUntilIdle(stand, timeoutMs);
  await Promise.all(stand.apis.map(async (api) => api.ready()));
  const [after] = await Promise.all([makeReferenceFiles(caller, seed, variants, "after"), idle]);
  // Waits until the worker is idle, because a report ends a moment before the worker removes its job.
  await endFaultsAndWaitUntilIdle(stand, 30_000);
  return new Map(
    [...before].map(([variant, { rowCount, parts }]) => [
      variant,
      { rowCount, parts: selectCommonParts(parts, after.get(variant)!.parts) },
    ]),
  );
}
