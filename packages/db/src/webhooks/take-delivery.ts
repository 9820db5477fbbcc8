import { createMonotonicClock } from "@reports/core/base";
import {
  maxWebhookRetryAfterMs,
  webhookTestEventType,
  webhookAuthorities,
  type ClaimedDelivery,
  type DeliveryClaimRules,
} from "@reports/core/webhook";
import { userPrincipalPrefix } from "@reports/core/caller";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { disableScansSql } from "../database/begin-with.ts";
import { intervalSql } from "../database/interval-sql.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";
import { sealingKeyFingerprintSql } from "./unreadable-webhooks.ts";

const now = sql`clock_timestamp()`;
/** Postgres can use an index for a comparison with the start of the statement. `clock_timestamp()` can differ per row and prevents that. */
const statementStart = sql`statement_timestamp()`;
const holdDuration = sql`make_interval(secs => ${sql.placeholder("holdMs")}::double precision / 1000)`;

/**
 * SQL for: a worker is sending the delivery. If a hold ends later than in twice its duration, it was written before Postgres's clock was set back,
 * and does not count.
 */
function isHeld(delivery: SQL): SQL {
  return sql`(${delivery}.hold is not null and ${delivery}.held_until > ${statementStart} and ${delivery}.held_until < ${statementStart} + 2 * ${holdDuration})`;
}

function isDue(delivery: SQL): SQL {
  return sql`(${delivery}.status = 'PENDING' and ${delivery}.next_try_at <= ${statementStart} and not ${isHeld(delivery)})`;
}

function hasFreeSlot(webhook: SQL): SQL {
  return sql`(
    select count(*) from webhook_deliveries as held where held.webhook_id = ${webhook}.id and ${isHeld(sql`held`)}
  ) < case when ${webhook}.failures_in_a_row > 0 then 1 else ${sql.placeholder("perWebhook")}::integer end`;
}

const beginStatement = prepareStatement(sql`select ${disableScansSql}`);

// Locks a webhook: of the owner whose last attempt is oldest, the webhook that has waited longest. A pause longer than the maximum was written
// before Postgres's clock was set back, and is ignored.
const chooseWebhook = prepareStatement(
  sql`
    update webhooks set tried_at = ${now}, retry_next = not retry_next
    where id = (
      select webhook.id from webhooks as webhook
      where webhook.status = 'ACTIVE' and webhook.deleted_at is null
        and (webhook.rests_until is null or webhook.rests_until <= ${statementStart} or webhook.rests_until > ${statementStart} + ${intervalSql(maxWebhookRetryAfterMs)})
        and exists (select from webhook_deliveries as waiting where waiting.webhook_id = webhook.id and ${isDue(sql`waiting`)})
        and ${hasFreeSlot(sql`webhook`)}
        and ${sealingKeyFingerprintSql(sql`webhook.secret`)} in (select jsonb_array_elements_text(${sql.placeholder("keys")}::jsonb))
        and webhook.owner <> all (select jsonb_array_elements_text(${sql.placeholder("excludedOwners")}::jsonb))
      -- FOR UPDATE would block transactions that add a delivery to the webhook.
      order by (
        select max(other.tried_at) from webhooks as other where other.owner = webhook.owner and other.deleted_at is null
      ) nulls first, webhook.tried_at nulls first limit 1 for no key update skip locked
    )
    returning id, case when retry_next then 0 else 1 end as preferred`,
);

const selectFirstDue = (isPreferred: SQL, rank: number): SQL => sql`(
  select delivery.id, ${rank}::integer as rank from webhook_deliveries as delivery
  where delivery.webhook_id = ${sql.placeholder("webhookId")} and ${isDue(sql`delivery`)} and least(delivery.tries, 1) = ${isPreferred}
  order by delivery.next_try_at, delivery.id limit 1
)`;
const preferredParameter = sql`${sql.placeholder("preferred")}::integer`;

const holdsAuthority = (authority: unknown, held: unknown) => sql`(${authority} = any (${held}))`;

// Holds a delivery of the chosen webhook. This second statement sees the holds that other workers wrote before the webhook was locked, so its count
// is exact.
const takeDelivery = prepareStatement(
  sql`
    with delivery as (
      update webhook_deliveries set hold = gen_random_uuid(), held_until = ${now} + ${holdDuration}
      where status = 'PENDING' and id = (
        select due.id from (${selectFirstDue(preferredParameter, 0)} union all ${selectFirstDue(sql`1 - ${preferredParameter}`, 1)}) as due
        where (select ${hasFreeSlot(sql`webhook`)} from webhooks as webhook where webhook.id = ${sql.placeholder("webhookId")})
        order by due.rank limit 1
      )
      returning *
    )
    select delivery.id, delivery.webhook_id as "webhookId", webhook.owner, delivery.event_id as "eventId", delivery.type, delivery.data,
      delivery.created_at as "occurredAt", ${now} as now, delivery.tries, delivery.postponed, webhook.url, delivery.hold,
      array_remove(array[
        webhook.secret, case when webhook.previous_secret_ends_at > ${now} then webhook.previous_secret end
      ], null) || array(
        select earlier ->> 'secret' from jsonb_array_elements(webhook.earlier_secrets) as earlier
        where (earlier ->> 'endsAt')::timestamptz > ${now}
      ) as secrets,
      webhook.failures_in_a_row as "failuresInARow",
      (extract(epoch from ${now} - webhook.failing_since) * 1000)::double precision as "failingForMs",
      coalesce(
        ${holdsAuthority(webhookAuthorities.have, sql`owner.authorities`)}
          -- A webhook whose scope was ALL before may still have deliveries about reports and schedules of other owners.
          and (
            webhook.of_whom = 'OWN' and (
              delivery.type = ${webhookTestEventType} or coalesce(report.requested_by, schedule.owner) = webhook.owner
            )
            or ${holdsAuthority(webhookAuthorities.all, sql`owner.authorities`)}
          )
          and (report.required_authority is null or ${holdsAuthority(sql`report.required_authority`, sql`owner.authorities`)}),
        false
      ) as "isOwnerAllowed",
      (
        starts_with(webhook.owner, ${userPrincipalPrefix})
        or webhook.confirmed_at > ${now} - make_interval(days => ${sql.placeholder("confirmDays")}::integer)
      ) as "isOwnerSeen"
    from delivery
    join webhooks as webhook on webhook.id = delivery.webhook_id
    left join reports as report on report.id = delivery.report_id
    left join report_schedules as schedule on schedule.id = (delivery.data ->> 'scheduleId')::uuid
    left join lateral (
      select webhook.owner_authorities as authorities where not starts_with(webhook.owner, ${userPrincipalPrefix})
      union all
      select users.authorities from users
      where users.name = substr(webhook.owner, ${userPrincipalPrefix.length + 1}::integer)
        and starts_with(webhook.owner, ${userPrincipalPrefix}) and users.disabled_at is null
    ) as owner on true`,
);

const chosenWebhookSchema = z.object({ id: z.string(), preferred: z.number() });
const takenDeliverySchema = z.object({
  id: z.string(),
  webhookId: z.string(),
  owner: z.string(),
  eventId: z.string(),
  type: z.string() as z.ZodType as z.ZodType<ClaimedDelivery["type"]>,
  data: z.record(z.string(), z.unknown()),
  occurredAt: z.coerce.date(),
  now: z.coerce.date().transform((readAt) => createMonotonicClock(readAt)),
  tries: z.number(),
  postponed: z.number(),
  url: z.string(),
  secrets: z.array(z.string()),
  isOwnerAllowed: z.boolean(),
  isOwnerSeen: z.boolean(),
  failuresInARow: z.number(),
  failingForMs: z.number().nullable(),
  hold: z.string(),
});

/** Takes the next due delivery. Returns null if none is due, and "late" if another worker took the chosen webhook's last slot first. */
export async function claimDueDelivery(
  tx: Queries,
  { keys, excludedOwners, ...rules }: DeliveryClaimRules,
): Promise<ClaimedDelivery | "late" | null> {
  const [, [row]] = await Promise.all([
    beginStatement(tx, {}),
    chooseWebhook(tx, { ...rules, keys: JSON.stringify(keys), excludedOwners: JSON.stringify(excludedOwners) }),
  ]);
  if (row === undefined) return null;
  const { id: webhookId, preferred: kind } = chosenWebhookSchema.parse(row);
  const [due] = await takeDelivery(tx, { webhookId, preferred: kind, ...rules });
  return due === undefined ? "late" : takenDeliverySchema.parse(due);
}
