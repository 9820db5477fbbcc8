import { workerDeadAfterMs } from "@reports/core/report";
import type { SealedSecretStore } from "@reports/core/webhook";
import { and, asc, eq, gt, isNull, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { webhooks } from "../schema/webhooks.ts";
import { sealingKeyFingerprintSql } from "./unreadable-webhooks.ts";

const signingSecrets = sql`(
  select ${webhooks.secret} as sealed
  union all select ${webhooks.previousSecret} where ${webhooks.previousSecretEndsAt} > clock_timestamp()
  union all select earlier ->> 'secret' from jsonb_array_elements(${webhooks.earlierSecrets}) as earlier
    where (earlier ->> 'endsAt')::timestamptz > clock_timestamp()
)`;

const hasSigningSecret = (condition: SQL): SQL =>
  sql`exists (select from ${signingSecrets} as signing where ${condition})`;
const keysRowSchema = z.object({ keys: z.array(z.string()).nullable() });

export function createSealedSecretStore(database: Database): SealedSecretStore {
  return {
    readKeys: () =>
      database.query(async (queries) => {
        // The API's role cannot read heartbeats, but may call this function.
        const rows = await queries.execute(
          sql`select keys from webhook_keys_held(${workerDeadAfterMs}::double precision)`,
        );
        return [...rows].map((row) => keysRowSchema.parse(row).keys);
      }),
    listUnder: (keys, { afterId, limit }) =>
      database.query(async (queries) =>
        queries
          .select({
            id: webhooks.id,
            secrets: sql<string[]>`array(select signing.sealed from ${signingSecrets} as signing)`,
          })
          .from(webhooks)
          .where(
            and(
              isNull(webhooks.deletedAt),
              afterId === null ? undefined : gt(webhooks.id, afterId),
              hasSigningSecret(
                sql`${sealingKeyFingerprintSql(sql`signing.sealed`)} in (select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))`,
              ),
            ),
          )
          .orderBy(asc(webhooks.id))
          .limit(limit),
      ),
    replace: (id, replacements) =>
      database.transaction(async (tx) => {
        const { secret, previousSecret, earlierSecrets } = webhooks;
        const stored = { secret, previousSecret, earlierSecrets };
        const [row] = await tx.select(stored).from(webhooks).where(eq(webhooks.id, id)).for("no key update");
        if (row === undefined) return;
        const replaced = (sealed: string): string => replacements.get(sealed) ?? sealed;
        await tx
          .update(webhooks)
          .set({
            secret: replaced(row.secret),
            previousSecret: row.previousSecret === null ? null : replaced(row.previousSecret),
            earlierSecrets: row.earlierSecrets.map((each) => ({ ...each, secret: replaced(each.secret) })),
          })
          .where(eq(webhooks.id, id));
      }),
    countNotUnder: (key) =>
      database.query(async (queries) => {
        const [row] = await queries
          .select({ count: sql<number>`count(*)::integer` })
          .from(webhooks)
          .where(
            and(
              isNull(webhooks.deletedAt),
              hasSigningSecret(sql`${sealingKeyFingerprintSql(sql`signing.sealed`)} <> ${key}`),
            ),
          );
        return row!.count;
      }),
  };
}
