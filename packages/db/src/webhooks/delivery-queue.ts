import {
  clockFrom,
  testEventType,
  userPrincipalPrefix,
  webhookAuthorities,
  type DeliveryQueue,
  type PauseCause,
  type Settlement,
  type TakenDelivery,
} from "@reports/core";
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { fromNow, interval } from "../database/interval.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";

// By which an endpoint is found whose turn it is: of those with something due, one of the owner whose last turn is longest ago, and of these the
// one that has waited longest.
const takeTurn = prepareStatement(
  "take_webhook_turn",
  sql`
    update webhooks set hold = gen_random_uuid(), tried_at = clock_timestamp(),
      held_until = clock_timestamp() + make_interval(secs => ${sql.placeholder("holdMs")}::double precision / 1000)
    where id = (
      select webhook.id from webhooks as webhook
      where webhook.status = 'ACTIVE' and webhook.deleted_at is null
        and (webhook.held_until is null or webhook.held_until <= clock_timestamp())
        and (webhook.rests_until is null or webhook.rests_until <= clock_timestamp())
        and exists (
          select from webhook_deliveries as waiting
          where waiting.webhook_id = webhook.id and waiting.status = 'PENDING' and waiting.next_try_at <= clock_timestamp()
        )
        and webhook.owner <> all (select jsonb_array_elements_text(${sql.placeholder("besides")}::jsonb))
      -- Not for update: that would hold up the transitions which put something in line for it.
      order by (
        select max(other.tried_at) from webhooks as other where other.owner = webhook.owner and other.deleted_at is null
      ) nulls first, webhook.tried_at nulls first limit 1 for no key update skip locked
    )
    returning id, hold`,
);

const holds = (authority: unknown, held: unknown) => sql`(${authority} = any (${held}))`;

// A user of ours is looked up; what others hold is what their credentials granted when they were last seen.
const readDue = prepareStatement(
  "read_due_delivery",
  sql`
    select delivery.id, delivery.webhook_id as "webhookId", webhook.owner, delivery.event_id as "eventId", delivery.type, delivery.data,
      delivery.created_at as "occurredAt", clock_timestamp() as now, delivery.tries, webhook.url, webhook.hold,
      array_remove(array[
        webhook.secret, case when webhook.previous_secret_ends_at > clock_timestamp() then webhook.previous_secret end
      ], null) || array(
        select earlier ->> 'secret' from jsonb_array_elements(webhook.earlier_secrets) as earlier
        where (earlier ->> 'endsAt')::timestamptz > clock_timestamp()
      ) as secrets,
      webhook.failures_in_a_row as "failuresInARow",
      (extract(epoch from clock_timestamp() - webhook.failing_since) * 1000)::double precision as "failingForMs",
      coalesce(
        ${holds(webhookAuthorities.have, sql`owner.authorities`)}
          -- A webhook that was of everybody's reports may still hold deliveries about the reports and schedules of others.
          and (
            webhook.of_whom = 'OWN' and (
              delivery.type = ${testEventType} or coalesce(report.requested_by, schedule.owner) = webhook.owner
            )
            or ${holds(webhookAuthorities.all, sql`owner.authorities`)}
          )
          and (report.required_authority is null or ${holds(sql`report.required_authority`, sql`owner.authorities`)}),
        false
      ) as "isOwnerAllowed"
    from webhooks as webhook
    join webhook_deliveries as delivery on delivery.webhook_id = webhook.id
    left join reports as report on report.id = delivery.report_id
    left join report_schedules as schedule on schedule.id = (delivery.data ->> 'scheduleId')::uuid
    left join lateral (
      select webhook.owner_authorities as authorities where not starts_with(webhook.owner, ${userPrincipalPrefix})
      union all
      select users.authorities from users
      where users.name = substr(webhook.owner, ${userPrincipalPrefix.length + 1}::integer)
        and starts_with(webhook.owner, ${userPrincipalPrefix}) and users.disabled_at is null
    ) as owner on true
    where webhook.id = ${sql.placeholder("webhookId")} and delivery.status = 'PENDING' and delivery.next_try_at <= clock_timestamp()
    order by delivery.next_try_at, delivery.id limit 1`,
);

const turn = z.object({ id: z.string(), hold: z.string() });
const taken = z.object({
  id: z.string(),
  webhookId: z.string(),
  owner: z.string(),
  eventId: z.string(),
  type: z.string() as z.ZodType as z.ZodType<TakenDelivery["type"]>,
  data: z.record(z.string(), z.unknown()),
  occurredAt: z.coerce.date(),
  now: z.coerce.date().transform((readAt) => clockFrom(readAt)),
  tries: z.number(),
  url: z.string(),
  secrets: z.array(z.string()),
  isOwnerAllowed: z.boolean(),
  failuresInARow: z.number(),
  failingForMs: z.number().nullable(),
  hold: z.string(),
});

/** What waits for webhooks, in Postgres, by its clock. Each call is some statements by index, however much waits. */
export function createDeliveryQueue(database: Database): DeliveryQueue {
  return {
    take: (holdMs, besides) =>
      database.transaction(async (tx) => {
        const [row] = await takeTurn(tx, { holdMs, besides: JSON.stringify(besides) });
        if (row === undefined) return null;
        const { id: webhookId, hold } = turn.parse(row);
        const [due] = await readDue(tx, { webhookId });
        // Somebody has put it off in between.
        if (due === undefined) await letGo(tx, { webhookId, hold }, {});
        return due === undefined ? null : taken.parse(due);
      }),
    settle: (delivery, settlement) =>
      database.transaction(async (tx) => {
        const isOurs = await letGo(tx, delivery, webhookChanges(settlement), eq(webhooks.url, delivery.url));
        // It leads elsewhere since then: of that nothing is known.
        if (!isOurs) await letGo(tx, delivery, {});
        // What was delivered was delivered, whoever holds the webhook by now; everything else the present holder judges anew.
        if (!isOurs && settlement.kind !== "delivered") return;
        const changes = deliveryChanges(settlement);
        if (changes === null) return;
        await tx
          .update(webhookDeliveries)
          .set(changes)
          .where(and(eq(webhookDeliveries.id, delivery.id), eq(webhookDeliveries.status, "PENDING")));
      }),
  };
}

/** How many deliveries wait, counted up to `countAtMost`, and how many webhooks are paused by the service. */
export async function readWebhookState(queries: Queries, countAtMost = 2_000) {
  const [row] = await queries.execute<{ waiting: number; overdueMs: number; paused: number }>(sql`
    select
      (select count(*)::integer from (select from webhook_deliveries where status = 'PENDING' limit ${countAtMost}) as waiting) as waiting,
      coalesce((
        select extract(epoch from clock_timestamp() - min(due.at)) * 1000 from webhooks as webhook
        cross join lateral (
          select next_try_at as at from webhook_deliveries as delivery
          where delivery.webhook_id = webhook.id and delivery.status = 'PENDING' order by next_try_at limit 1
        ) as due
        where webhook.status = 'ACTIVE' and webhook.deleted_at is null and webhook.failures_in_a_row = 0 and due.at < clock_timestamp()
      ), 0)::double precision as "overdueMs",
      (select count(*)::integer from webhooks where paused_because <> 'REQUESTED' and deleted_at is null) as paused`);
  return row!;
}

/** Ends the hold, unless somebody else has it by now or the condition does not hold; says whether it was ours. */
async function letGo(
  tx: Queries,
  { webhookId, hold }: { readonly webhookId: string; readonly hold: string },
  changes: PgUpdateSetSource<typeof webhooks>,
  condition?: SQL,
): Promise<boolean> {
  const rows = await tx
    .update(webhooks)
    .set({ hold: null, heldUntil: null, ...changes })
    .where(and(eq(webhooks.id, webhookId), eq(webhooks.hold, hold), condition))
    .returning({ id: webhooks.id });
  return rows.length === 1;
}

function webhookChanges(settlement: Settlement): PgUpdateSetSource<typeof webhooks> {
  switch (settlement.kind) {
    case "delivered":
      return {
        failingSince: null,
        failuresInARow: 0,
        restsUntil: settlement.restMs === 0 ? null : fromNow(settlement.restMs),
      };
    case "dropped":
      return {};
    case "released":
      return paused(settlement.pause);
    case "failed":
      return {
        failingSince: sql`coalesce(${webhooks.failingSince}, clock_timestamp())`,
        failuresInARow: sql`${webhooks.failuresInARow} + 1`,
        restsUntil: fromNow(settlement.restMs),
        ...paused(settlement.pause),
      };
  }
}

function paused(because: PauseCause | null): PgUpdateSetSource<typeof webhooks> {
  if (because === null) return {};
  // A caller who paused it meanwhile keeps having done so.
  return {
    status: "PAUSED",
    pausedBecause: sql`coalesce(${webhooks.pausedBecause}, ${because})`,
    revision: sql`${webhooks.revision} + 1`,
    updatedAt: sql`now()`,
  };
}

function deliveryChanges(settlement: Settlement) {
  const ended = { nextTryAt: null, endedAt: sql`clock_timestamp()` };
  const tried = sql`${webhookDeliveries.tries} + 1`;
  switch (settlement.kind) {
    case "delivered": {
      const { status: lastStatus, durationMs } = settlement;
      return { status: "DELIVERED", ...ended, tries: tried, lastStatus, lastErrorCode: null, durationMs } as const;
    }
    case "dropped":
      return { status: "DROPPED", ...ended, lastErrorCode: settlement.code } as const;
    case "released":
      return null;
    case "failed": {
      const { status: lastStatus, code: lastErrorCode, nextInMs } = settlement;
      // How long it took not to connect tells what a name leads to.
      const durationMs = lastErrorCode === "CONNECTION_FAILED" ? null : settlement.durationMs;
      const said = { tries: tried, lastStatus, lastErrorCode, durationMs };
      return nextInMs === null
        ? ({ status: "FAILED", ...ended, ...said } as const)
        : { ...said, nextTryAt: sql`clock_timestamp() + ${interval(nextInMs)}` };
    }
  }
}
