import {
  maxWebhookRetryAfterMs,
  type DeliveryQueue,
  type WebhookPauseCode,
  type DeliveryResult,
} from "@reports/core/webhook";
import { and, eq, gt, isNotNull, or, sql, type SQL } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Database } from "../database/database.ts";
import { timeFromNowSql, intervalSql } from "../database/interval-sql.ts";
import type { Queries } from "../database/queries.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";
import { claimDueDelivery } from "./take-delivery.ts";

const maxChoices = 3;

export function createDeliveryQueue(database: Database): DeliveryQueue {
  return {
    claim: async (rules) => {
      // If another worker first takes the last slot of the chosen webhook, the claim is `late`. Another webhook may then have due deliveries, so
      // the loop chooses again.
      for (let choice = 0; choice < maxChoices; choice++) {
        const taken = await database.transaction((tx) => claimDueDelivery(tx, rules));
        if (taken !== "late") return taken;
      }
      return null;
    },
    complete: async (delivery, result) => {
      if (result.kind === "delivered") return database.query((queries) => recordSuccess(queries, delivery, result));
      await database.transaction((tx) => recordOtherResult(tx, delivery, result));
    },
  };
}

type HeldDelivery = Parameters<DeliveryQueue["complete"]>[0];
type DeliveredResult = Extract<DeliveryResult, { kind: "delivered" }>;
type FailedResult = Extract<DeliveryResult, { kind: "failed" }>;

/** Records a success, even if another worker holds the delivery by now. Only the worker that holds it also resets the webhook's failures; `restsUntil` stays. */
async function recordSuccess(queries: Queries, delivery: HeldDelivery, result: DeliveredResult): Promise<void> {
  const changes = deliveryChanges(result);
  const hadHold = await endHold(queries, delivery, changes);
  if (!hadHold) return endPending(queries, delivery.id, changes);
  // Concurrent deliveries of a webhook would wait for its row's lock. Without failures, the row is therefore written only once per minute.
  await queries
    .update(webhooks)
    .set({ failingSince: null, failuresInARow: 0, lastDeliveredAt: sql`clock_timestamp()` })
    .where(
      and(
        isUnchangedWebhook(delivery),
        or(gt(webhooks.failuresInARow, 0), isNotNull(webhooks.failingSince), isLastDeliveryOld),
      ),
    );
}

/** SQL for: the time of the last delivery is missing, a minute old, or in the future because Postgres's clock was set back. */
const isLastDeliveryOld = sql`(
  ${webhooks.lastDeliveredAt} is null or abs(extract(epoch from clock_timestamp() - ${webhooks.lastDeliveredAt})) >= 60
)`;

/** Locks the webhook before the delivery, in the same order as changes by callers, so that there is no deadlock. */
async function recordOtherResult(
  tx: Queries,
  delivery: HeldDelivery,
  result: Exclude<DeliveryResult, DeliveredResult>,
): Promise<void> {
  const [found] = await tx
    .select({ isSame: sql<boolean>`${webhooks.url} = ${delivery.url}` })
    .from(webhooks)
    .where(eq(webhooks.id, delivery.webhookId))
    .for("no key update");
  // If a caller has changed the URL, this outcome says nothing about the new receiver, so it does not count.
  const counts = found?.isSame === true;
  const hadHold = await endHold(tx, delivery, counts ? deliveryChanges(result) : {});
  if (!hadHold || !counts) return;
  if (result.kind === "failed")
    await tx.update(webhooks).set(backoffColumns(delivery, result)).where(isUnchangedWebhook(delivery));
  if ("pause" in result && result.pause !== null) await pause(tx, delivery, result.pause);
}

const maxCounted = 2_000;

/** Counts deliveries up to maxCounted, and paused or unreadable webhooks. `overdueMs` is the age of the oldest due delivery. */
export async function readWebhookCounts(queries: Queries) {
  const [row] = await queries.execute<{
    waiting: number;
    overdueMs: number;
    paused: number;
    unreadable: number;
    dropped: number;
  }>(sql`
    select
      (select count(*)::integer from (select from webhook_deliveries where status = 'PENDING' limit ${maxCounted}) as waiting) as waiting,
      coalesce((
        select extract(epoch from clock_timestamp() - min(due.at)) * 1000 from webhooks as webhook
        cross join lateral (
          select next_try_at as at from webhook_deliveries as delivery
          where delivery.webhook_id = webhook.id and delivery.status = 'PENDING' order by next_try_at limit 1
        ) as due
        where webhook.status = 'ACTIVE' and webhook.deleted_at is null and webhook.failures_in_a_row = 0 and due.at < clock_timestamp()
          and (webhook.rests_until is null or webhook.rests_until <= clock_timestamp())
      ), 0)::double precision as "overdueMs",
      (select count(*)::integer from webhooks where paused_because <> 'REQUESTED' and deleted_at is null) as paused,
      (select count(*)::integer from webhooks where unreadable_since is not null and status = 'ACTIVE' and deleted_at is null) as unreadable,
      (select count(*)::integer from (
        select from webhook_deliveries where last_error_code = 'TOO_MANY' and ended_at > clock_timestamp() - interval '1 hour' limit ${maxCounted}
      ) as dropped) as dropped`);
  return row!;
}

/**
 * Ends this worker's hold on a delivery. Returns false if the hold or the delivery has ended before. Workers of the previous version ignore holds,
 * so they can end the delivery.
 */
async function endHold(queries: Queries, { id, hold }: HeldDelivery, changes: DeliveryChanges): Promise<boolean> {
  const rows = await queries
    .update(webhookDeliveries)
    .set({ ...changes, ...releasedColumns })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.hold, hold), eq(webhookDeliveries.status, "PENDING")))
    .returning({ id: webhookDeliveries.id });
  return rows.length === 1;
}

async function endPending(queries: Queries, id: string, changes: DeliveryChanges): Promise<void> {
  await queries
    .update(webhookDeliveries)
    .set({ ...changes, ...releasedColumns })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.status, "PENDING")));
}

const releasedColumns = { hold: null, heldUntil: null };

function isUnchangedWebhook({ webhookId, url }: HeldDelivery): SQL {
  return and(eq(webhooks.id, webhookId), eq(webhooks.url, url))!;
}

/** Returns the failure columns after a failed attempt. Attempts that ran at the same time count as one failure, with the longest of their pauses. */
function backoffColumns(
  { failuresInARow }: HeldDelivery,
  { backoffMs }: FailedResult,
): PgUpdateSetSource<typeof webhooks> {
  return {
    failingSince: sql`coalesce(${webhooks.failingSince}, clock_timestamp())`,
    failuresInARow: sql`greatest(${webhooks.failuresInARow}, ${failuresInARow + 1})`,
    restsUntil: sql`greatest(
      ${timeFromNowSql(backoffMs)}, case when ${webhooks.restsUntil} <= ${timeFromNowSql(maxWebhookRetryAfterMs)} then ${webhooks.restsUntil} end
    )`,
  };
}

async function pause(tx: Queries, delivery: HeldDelivery, because: WebhookPauseCode): Promise<void> {
  await tx
    .update(webhooks)
    .set({
      status: "PAUSED",
      pausedBecause: because,
      revision: sql`${webhooks.revision} + 1`,
      updatedAt: sql`now()`,
    })
    .where(and(isUnchangedWebhook(delivery), eq(webhooks.status, "ACTIVE")));
}

type DeliveryChanges = PgUpdateSetSource<typeof webhookDeliveries>;

function deliveryChanges(result: DeliveryResult): DeliveryChanges {
  const ended = { nextTryAt: null, endedAt: sql`clock_timestamp()` };
  const tried = sql`${webhookDeliveries.tries} + 1`;
  switch (result.kind) {
    case "delivered": {
      const { status: lastStatus, durationMs } = result;
      return { status: "DELIVERED", ...ended, tries: tried, lastStatus, lastErrorCode: null, durationMs };
    }
    case "dropped":
      return { status: "DROPPED", ...ended, lastErrorCode: result.code };
    case "released":
      return {};
    case "failed": {
      const { status: lastStatus, code: lastErrorCode, nextInMs } = result;
      // The duration of a failed connection would reveal to the owner where the receiver's host name leads.
      const durationMs = lastErrorCode === "CONNECTION_FAILED" ? null : result.durationMs;
      const postponed = sql`${webhookDeliveries.postponed} + ${result.isPostponed ? 1 : 0}`;
      const outcome = { tries: tried, postponed, lastStatus, lastErrorCode, durationMs };
      return nextInMs === null
        ? { status: "FAILED", ...ended, ...outcome }
        : { ...outcome, nextTryAt: sql`clock_timestamp() + ${intervalSql(nextInMs)}` };
    }
  }
}
