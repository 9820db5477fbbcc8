import { setTimeout as wait } from "node:timers/promises";
import { defaultQueueSchema, laneSchemaName } from "@reports/db";
import type { ReportLane } from "@reports/core/base";
import { createSeededRandom, type SeededRandom } from "@reports/testing";
import type { TortureStand } from "../stand/torture-stand.ts";
import type { LoadClient } from "./load-client.ts";
import { countFault, type Ledger } from "./ledger.ts";
import { makeRendition, openStatuses, pickRenditionRequest } from "./rendition.ts";
import { pickReportRequest } from "./report-variants.ts";

export interface RunLoadOptions {
  readonly seed: number;
  readonly reports?: number;
  readonly clients: number;
  readonly mayStart?: (number: number) => boolean;
  readonly withPoison?: boolean;
  readonly withShards?: boolean;
  /** Whether clients cancel, delete or queue some reports twice. Default: true. */
  readonly withInterventions?: boolean;
  readonly withRenditions?: boolean;
  readonly patienceMs: number;
  readonly isOver?: () => boolean;
}

const renditionShare = 0.3;

export async function runLoad(
  stand: TortureStand,
  caller: LoadClient,
  ledger: Ledger,
  options: RunLoadOptions,
): Promise<void> {
  const { reports = Infinity, mayStart = () => true, isOver = () => false } = options;
  let next = 1;
  await Promise.all(
    Array.from({ length: options.clients }, async () => {
      for (;;) {
        if (next > reports || isOver()) return;
        const number = next++;
        while (!mayStart(number) && !isOver()) await wait(200);
        // The random numbers of a request depend on its number only. So the timing of the clients does not change the requests of a seed.
        const random = createSeededRandom(options.seed, 1, number);
        try {
          await runOne(stand, caller, ledger, options, random, number);
        } catch (error) {
          ledger.loadErrors.push((error as Error).message);
        }
      }
    }),
  );
}

async function runOne(
  stand: TortureStand,
  caller: LoadClient,
  ledger: Ledger,
  options: RunLoadOptions,
  random: SeededRandom,
  number: number,
): Promise<void> {
  const { variant, request } = pickReportRequest(random, number, options);
  const intervention = random.weighted([
    ["nothing", 86],
    ["cancel", 5],
    ["delete", 4],
    ["duplicate delivery", 5],
  ] as const);
  const interventionAfterMs = random.integer(0, 4_000);
  const key = `torture-${options.seed}-${number}`;
  const keepsRows = options.withRenditions === true && variant !== null && random.chance(renditionShare);
  const id = await caller.start(keepsRows ? { ...request, keepRows: true } : request, key);
  ledger.submitted++;
  ledger.entries.set(id, { id, key, variant });
  if (intervention !== "nothing" && options.withInterventions !== false) {
    await wait(interventionAfterMs);
    countFault(ledger, intervention);
    if (intervention === "cancel") await repeatUntilAnswered(async () => caller.cancel(id));
    if (intervention === "delete") await repeatUntilAnswered(async () => caller.remove(id));
    if (intervention === "duplicate delivery") await addSecondJob(stand, id);
  }
  await waitUntilEnded(caller, id, options.patienceMs);
  if (keepsRows)
    await makeRendition(caller, ledger, pickRenditionRequest(random, id, key, variant), options.patienceMs);
}

/** Adds a second job for a report, as if the queue delivered its job twice. Without a job key, the second job does not replace the first. */
async function addSecondJob({ sql, retryingSql }: TortureStand, id: string): Promise<void> {
  const [report] = await retryingSql<{ lane: ReportLane }[]>`select lane from reports where id = ${id}`;
  if (report === undefined) return;
  const schema = laneSchemaName(defaultQueueSchema, report.lane);
  await retryingSql`select ${sql(schema)}.add_job('run_report', json_build_object('reportId', ${id}::uuid))`;
}

async function waitUntilEnded(caller: LoadClient, id: string, patienceMs: number): Promise<void> {
  const endsAt = Date.now() + patienceMs;
  for (let pauseMs = 1_500; Date.now() < endsAt; pauseMs = Math.min(pauseMs * 1.5, 3_000)) {
    const seen = await caller.read(id);
    if (seen === "deleted" || (seen !== null && !openStatuses.has(seen.status))) return;
    await wait(pauseMs);
  }
}

/** Repeats a cancel or delete until the API responds, at most 30 times. Both are idempotent, so a repetition is safe. */
async function repeatUntilAnswered(act: () => Promise<boolean | null>): Promise<void> {
  for (let tries = 0; tries < 30; tries++) {
    if ((await act()) !== null) return;
    await wait(1_000);
  }
}
