import { createHash } from "node:crypto";
import { DomainError } from "@reports/core/base";
import type { OnceClaim } from "@reports/core/report";
import { and, eq, sql } from "drizzle-orm";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";
import { idempotencyKeys } from "../schema/idempotency-keys.ts";
import { intervalSql } from "../database/interval-sql.ts";

export interface StoredResponse {
  readonly reportId: string;
  readonly answer: string;
}

/** A key returns its stored response for 24 hours: docs/reference/http.md#idempotency-keys. */
const keyLifetime = intervalSql(24 * 3_600_000);

const insertKeys = prepareStatement(
  sql`
    insert into ${idempotencyKeys} as kept (key_hash, fingerprint)
    select key_hash, fingerprint from jsonb_to_recordset(${sql.placeholder("claims")}::jsonb) as claim (key_hash text, fingerprint text) order by key_hash
    on conflict (key_hash) do update set fingerprint = excluded.fingerprint, report_id = null, answer = null, created_at = now()
      where kept.created_at <= now() - ${keyLifetime}
    returning kept.key_hash`,
);

/**
 * Claims different idempotency keys. Returns those that it can't claim, because a request used them within 24 hours. Waits while another transaction
 * claims a key.
 */
export async function claimKeysReturningTaken(
  tx: Queries,
  claims: readonly OnceClaim[],
): Promise<readonly OnceClaim[]> {
  if (claims.length === 0) return [];
  const rows = claims.map((claim) => ({ key_hash: hashOf(claim), fingerprint: claim.fingerprint }));
  const claimed = new Set((await insertKeys(tx, { claims: JSON.stringify(rows) })).map((row) => row["key_hash"]));
  return claims.filter((_, index) => !claimed.has(rows[index]!.key_hash));
}

/**
 * Claims the key. Returns null if it was free, and else its stored response. Throws DomainError: "invalid" if the key belongs to another request,
 * or "unavailable" if it was just removed.
 */
export async function claimKeyOrReadResponse(tx: Queries, claim: OnceClaim): Promise<StoredResponse | null> {
  if ((await claimKeysReturningTaken(tx, [claim])).length === 0) return null;
  const stored = await readStoredResponse(tx, claim);
  if (stored === null)
    throw new DomainError("unavailable", "unavailable", "The Idempotency-Key was just removed; try again.");
  return stored;
}

export async function readStoredResponse(queries: Queries, claim: OnceClaim): Promise<StoredResponse | null> {
  const [row] = await queries
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.keyHash, hashOf(claim)), sql`${idempotencyKeys.createdAt} > now() - ${keyLifetime}`));
  if (row === undefined) return null;
  if (row.fingerprint !== claim.fingerprint) {
    const message = "This Idempotency-Key was used for another request within the last 24 hours. Choose a new key.";
    throw new DomainError("invalid", "idempotency-key-reused", message, {
      issues: [{ header: "Idempotency-Key", code: "key_reused", message }],
    });
  }
  if (row.answer === null || row.reportId === null)
    throw new Error("An idempotency key was committed without its response.");
  return { reportId: row.reportId, answer: row.answer };
}

const updateResponses = prepareStatement(
  sql`
    update ${idempotencyKeys} as kept set report_id = given.report_id, answer = given.answer
    from jsonb_to_recordset(${sql.placeholder("answers")}::jsonb) as given (key_hash text, report_id uuid, answer text)
    where kept.key_hash = given.key_hash`,
);

export async function storeResponses(
  tx: Queries,
  answers: readonly { readonly claim: OnceClaim; readonly stored: StoredResponse }[],
): Promise<void> {
  if (answers.length === 0) return;
  const rows = answers.map(({ claim, stored }) => ({
    key_hash: hashOf(claim),
    report_id: stored.reportId,
    answer: stored.answer,
  }));
  await updateResponses(tx, { answers: JSON.stringify(rows) });
}

function hashOf({ principalId, endpoint, key }: OnceClaim): string {
  return createHash("sha256")
    .update(JSON.stringify([principalId, endpoint, key]))
    .digest("hex");
}
