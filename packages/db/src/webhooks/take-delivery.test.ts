import type { ClaimedDelivery, DeliveryClaimRules } from "@reports/core/webhook";
import { createTestDatabases, waitForBlockedSession } from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createDeliveryQueue } from "./delivery-queue.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });
const rules: DeliveryClaimRules = {
  holdMs: 60_000,
  perWebhook: 1,
  keys: ["sealed"],
  confirmDays: 90,
  excludedOwners: [],
};

test.each([
  ["takes nothing", []],
  ["takes from another webhook", ["issuer|next"]],
])("if another worker takes the last slot of the chosen webhook, a worker %s", async (_, others) => {
  await using clone = await cloneDatabase();
  const slow = createDatabase({ url: clone.url, max: 1, deadlineMs: 60_000, applicationName: "slow" });
  const other = createDatabase({ url: clone.url, max: 1, deadlineMs: 60_000 });
  const control = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await control`
    insert into webhooks (id, owner, owner_authorities, url, events, of_whom, secret)
    select gen_random_uuid(), owner, '{WEBHOOKS_WRITE}', 'https://receiver.example/hook', '{}', 'OWN', 'sealed'
    from unnest(${["issuer|own", ...others]}::text[]) as owner`;
  await control`update webhooks set tried_at = now() where owner = 'issuer|next'`;
  await control`
    insert into webhook_deliveries (id, webhook_id, event_id, type, data, next_try_at)
    select gen_random_uuid(), id, gen_random_uuid(), 'webhook.test', '{}', now() from webhooks, generate_series(1, 3)
    where secret = 'sealed'`;
  // The slow worker reads the deliveries as they are now. Before it locks the webhook, it waits until the test releases an advisory lock.
  await control`
    create function waits_for_test() returns boolean language plpgsql volatile as $$ begin
      if current_setting('application_name') = 'slow' then perform pg_advisory_xact_lock_shared(7); end if;
      return true;
    end $$`;
  await control`alter table webhook_deliveries rename to stored_deliveries`;
  await control`create view webhook_deliveries as select * from stored_deliveries where waits_for_test()`;
  let late: Promise<ClaimedDelivery | null> | undefined;
  await control.begin(async (holding) => {
    await holding`select pg_advisory_xact_lock(7)`;
    late = createDeliveryQueue(slow).claim(rules);
    await waitForBlockedSession(holding);
    expect(await createDeliveryQueue(other).claim(rules)).toMatchObject({ owner: "issuer|own" });
  });
  expect((await late)?.owner).toBe(others[0]);
  await Promise.all([slow.close(), other.close(), control.end()]);
});
