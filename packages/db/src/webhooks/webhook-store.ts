import {
  maxEarlierWebhookSecrets,
  maxWaitingDeliveriesPerWebhook,
  webhookTestEventType,
  type Webhook,
  type WebhookChange,
  type WebhookLimits,
  type WebhookStore,
} from "@reports/core/webhook";
import { and, count, eq, isNull, lt, lte, not, sql } from "drizzle-orm";
import { z } from "zod";
import { createOwnedStore } from "../collections/owned-store.ts";
import type { Database } from "../database/database.ts";
import { timeAgoSql, ownerSeenUpdateIntervalMs, timeFromNowSql } from "../database/interval-sql.ts";
import type { Queries } from "../database/queries.ts";
import { bindArray } from "../relations/relation.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";
import { isVisibleDelivery } from "./delivery-visibility-filter.ts";
import { deliveryColumns, webhookTableMapping } from "./webhook-row.ts";

const changedColumns = { revision: sql`${webhooks.revision} + 1`, updatedAt: sql`now()` };
const queuedDelivery = {
  status: "PENDING",
  tries: 0,
  postponed: 0,
  nextTryAt: sql`clock_timestamp()`,
  endedAt: null,
} as const;

const stillSigningSecrets = sql`coalesce((
  select jsonb_agg(earlier || jsonb_build_object('endsInMs',
    extract(epoch from (earlier ->> 'endsAt')::timestamptz - clock_timestamp()) * 1000) order by earlier ->> 'endsAt' desc)
  from jsonb_array_elements(${webhooks.earlierSecrets} || case when ${webhooks.previousSecret} is null then '[]' else
    jsonb_build_array(jsonb_build_object('secret', ${webhooks.previousSecret}, 'endsAt', ${webhooks.previousSecretEndsAt})) end) as earlier
  where (earlier ->> 'endsAt')::timestamptz > clock_timestamp()
), '[]')`;
const earlierSecrets = z.array(z.object({ secret: z.string(), endsAt: z.string(), endsInMs: z.number() }));

export function createWebhookStore(database: Database): WebhookStore {
  const records = createOwnedStore(database, webhookTableMapping);
  return {
    find: records.find,
    remove: records.remove,
    async create({ events, reportTypes, ownerAuthorities, ...webhook }, most) {
      const limits = [ownerLimit(webhook.owner, most), ...limitsOf(webhook, most)];
      return records.create(limits, () => ({
        ...webhook,
        events: [...events],
        reportTypes: reportTypes && [...reportTypes],
        ownerAuthorities: [...ownerAuthorities],
      }));
    },
    change: (id, change, most) =>
      records.change(id, (stored) => {
        const { ownerAuthorities, ...wanted } = change(stored);
        const isReset = resetsBackoff(stored, wanted);
        return {
          fields: { ...wanted, ...(wanted.status === "ACTIVE" ? { pausedBecause: null } : {}) },
          // Callers don't see these columns, so a change of only these columns keeps the revision.
          others: {
            ...(ownerAuthorities && {
              ownerAuthorities: [...ownerAuthorities],
              confirmedAt: sql`clock_timestamp()`,
            }),
            ...(isReset ? resetColumns : {}),
          },
          limits: limitsOf(wanted, most),
          ...(isReset ? { before: async (tx) => resetDeliveries(tx, id) } : {}),
        };
      }),
    rotate: (id, secret, overlapMs) =>
      database.transaction(async (tx) => {
        if ((await records.lock(tx, id)) === null) return null;
        const [signing] = await tx.select({ earlier: stillSigningSecrets }).from(webhooks).where(eq(webhooks.id, id));
        const earlier = earlierSecrets.parse(signing!.earlier);
        if (earlier.length >= maxEarlierWebhookSecrets)
          return { refusal: "too-many", retryInMs: Math.min(...earlier.map(({ endsInMs }) => endsInMs)) };
        const [row] = await tx
          .update(webhooks)
          .set({
            previousSecret: webhooks.secret,
            previousSecretEndsAt: timeFromNowSql(overlapMs),
            earlierSecrets: earlier.map(({ secret: sealed, endsAt }) => ({ secret: sealed, endsAt })),
            secret,
            ...changedColumns,
          })
          .where(eq(webhooks.id, id))
          .returning({ endsAt: webhooks.previousSecretEndsAt });
        return { endsAt: row!.endsAt! };
      }),
    findDelivery: (webhookId, id, visible) =>
      database.query(async (queries) => {
        const [row] = await queries
          .select(deliveryColumns)
          .from(webhookDeliveries)
          .where(
            and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.webhookId, webhookId), isVisibleDelivery(visible)),
          );
        return row ?? null;
      }),
    redeliver: (webhookId, eventId, visible) =>
      database.transaction(async (tx) => {
        const itself = and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.eventId, eventId));
        const [found] = await tx
          .select(deliveryColumns)
          .from(webhookDeliveries)
          .where(and(itself, isVisibleDelivery(visible)));
        if (found === undefined) return null;
        if (found.status !== "PENDING" && (await isFull(tx, webhookId))) return "too-many";
        const [row] = await tx.update(webhookDeliveries).set(queuedDelivery).where(itself).returning(deliveryColumns);
        return row ?? null;
      }),
    addTest: (webhookId, ids) =>
      database.transaction(async (tx) => {
        if (await isFull(tx, webhookId)) return "too-many";
        const [row] = await tx
          .insert(webhookDeliveries)
          .values({ ...ids, webhookId, type: webhookTestEventType, data: { webhookId }, ...queuedDelivery })
          .returning(deliveryColumns);
        return row!;
      }),
    confirmOwner: (owner, lacking) =>
      database.query(async (queries) => {
        const { ownerAuthorities, confirmedAt, deletedAt } = webhooks;
        const rows = await queries
          .update(webhooks)
          .set({ confirmedAt: sql`clock_timestamp()` })
          .where(
            and(
              eq(webhooks.owner, owner),
              isNull(deletedAt),
              sql`not ${ownerAuthorities} && ${bindArray(lacking)}::text[]`,
              lt(confirmedAt, timeAgoSql(ownerSeenUpdateIntervalMs)),
            ),
          )
          .returning({ id: webhooks.id });
        return rows.length;
      }),
  };
}

/**
 * Reports whether a change resumes the webhook or changes its URL. Only such a change resets the backoff. Otherwise, frequent changes could prevent a
 * pause.
 */
function resetsBackoff(stored: Webhook, { url = stored.url, status = stored.status }: WebhookChange): boolean {
  return url !== stored.url || (status === "ACTIVE" && stored.status === "PAUSED");
}

/**
 * Time at which attempts may begin again: now, or a minute after the last reset. Without this minute, a caller could have a dead receiver attempted
 * without pause.
 */
const backoffResetAt = sql`case
  when ${webhooks.begunAt} is null or abs(extract(epoch from clock_timestamp() - ${webhooks.begunAt})) >= 60 then clock_timestamp()
  when ${webhooks.triedAt} is null or ${webhooks.triedAt} < ${webhooks.begunAt} then greatest(clock_timestamp(), ${webhooks.begunAt})
  else ${webhooks.begunAt} + interval '1 minute'
end`;
const resetColumns = { failingSince: null, failuresInARow: 0, begunAt: backoffResetAt, restsUntil: backoffResetAt };

async function resetDeliveries(tx: Queries, webhookId: string): Promise<void> {
  const { status, tries, nextTryAt } = webhookDeliveries;
  const isUntried = and(eq(tries, 0), lte(nextTryAt, sql`clock_timestamp()`))!;
  await tx
    .update(webhookDeliveries)
    .set(queuedDelivery)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(status, "PENDING"), not(isUntried)));
}

function ownerLimit(owner: string, { perOwner }: WebhookLimits) {
  const where = eq(webhooks.owner, owner);
  return { code: "too-many-of-owner", most: perOwner, lock: `webhooks:of:${owner}`, where } as const;
}

function limitsOf({ of }: Pick<WebhookChange, "of">, { ofAll }: WebhookLimits) {
  if (of !== "ALL") return [];
  return [{ code: "too-many-of-all", most: ofAll, lock: "webhooks:all", where: eq(webhooks.of, "ALL") }] as const;
}

async function isFull(tx: Queries, webhookId: string): Promise<boolean> {
  const waiting = tx
    .select({ one: sql`1` })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.status, "PENDING")))
    .limit(maxWaitingDeliveriesPerWebhook)
    .as("waiting");
  const [row] = await tx.select({ number: count() }).from(waiting);
  return row!.number >= maxWaitingDeliveriesPerWebhook;
}
