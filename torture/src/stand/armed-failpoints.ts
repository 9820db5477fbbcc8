import { readdirSync, rmSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "@reports/testing";
import type { FailpointAction } from "../failpoints.ts";
import type { TortureStand } from "./torture-stand.ts";

type FailpointsFolder = Pick<TortureStand, "failpointsFolder">;

/** Lets the process that next reaches the failpoint perform the action, once. */
export async function armFailpoint(
  { failpointsFolder }: FailpointsFolder,
  name: string,
  action: FailpointAction,
): Promise<void> {
  // The rename prevents that a process reads the file before it contains the action.
  const unfinished = join(failpointsFolder, `unfinished-${name}`);
  await writeFile(unfinished, action);
  await rename(unfinished, join(failpointsFolder, name));
}

/** Resolves with the ID of the process that has hit the armed failpoint. Rejects after `timeoutMs`. */
export async function waitForHit(stand: FailpointsFolder, name: string, timeoutMs: number): Promise<number> {
  return waitFor(() => consumeHit(stand, name), { what: "the failpoint to be hit", timeoutMs, intervalMs: 20 });
}

function consumeHit({ failpointsFolder }: FailpointsFolder, name: string): number | null {
  const seen = readdirSync(failpointsFolder).find((file) => file.startsWith(`${name}.`));
  if (seen === undefined) return null;
  rmSync(join(failpointsFolder, seen));
  return Number(seen.slice(name.length + 1));
}
