import { setTimeout as wait } from "node:timers/promises";
import type { SeededRandom } from "@reports/testing";
import type { LoadClient } from "./load-client.ts";
import { countFault, type Ledger } from "./ledger.ts";
import { toRenditionRequestBody, listPossibleRenditions, type ReportVariant } from "./report-variants.ts";

export const openStatuses: ReadonlySet<string> = new Set(["QUEUED", "RUNNING"]);

interface RenditionRequest {
  readonly reportId: string;
  readonly key: string;
  readonly variant: ReportVariant;
}

export function pickRenditionRequest(
  random: SeededRandom,
  reportId: string,
  key: string,
  of: ReportVariant,
): RenditionRequest {
  return { reportId, key: `${key}-file`, variant: random.pick(listPossibleRenditions(of)) };
}

export async function makeRendition(
  caller: LoadClient,
  ledger: Ledger,
  { reportId, key, variant }: RenditionRequest,
  patienceMs: number,
): Promise<void> {
  // The API correctly refuses a rendition if the report was cancelled or deleted, or if its file is damaged.
  const accepted = await caller.postUntilAccepted(
    `/v1/reports/${reportId}/files`,
    toRenditionRequestBody(variant),
    key,
  );
  if (accepted === null) return;
  const { id } = JSON.parse(accepted) as { id: string };
  ledger.entries.set(id, { id, key, variant });
  countFault(ledger, "rendition");
  const endsAt = Date.now() + patienceMs;
  while (Date.now() < endsAt && (await isOpen(caller, reportId, id))) await wait(1_500);
}

async function isOpen(caller: LoadClient, reportId: string, id: string): Promise<boolean> {
  const response = await caller.send("GET", `/v1/reports/${reportId}/files`, "admin");
  const text = await response?.text().catch(() => null);
  if (response?.status !== 200 || !text) return response === null || response.status >= 500 || response.status === 429;
  const file = (JSON.parse(text) as { id: string; status: string }[]).find((each) => each.id === id);
  return file !== undefined && openStatuses.has(file.status);
}
