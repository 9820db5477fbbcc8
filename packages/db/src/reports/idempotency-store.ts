import { createHash } from "node:crypto";
import { DomainError, type OnceClaim } from "@reports/core";
import { and, eq, sql } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { idempotencyKeys } from "../schema/idempotency-keys.ts";
import { interval } from "../database/interval.ts";

/** What was answered under a key. */
export interface KeptAnswer {
  readonly reportId: string;
  readonly answer: string;
}

/** How long an answer is given again. docs/contract.md §3.5. */
const validFor = interval(24 * 3_600_000);

/**
 * Takes a key, first thing in the transaction that does what it stands for. Null when the key is ours: it was new, or its time was
 * over. Otherwise what was answered under it. A twin that is on its way is waited for, because both write the same row.
 * Throws DomainError("invalid") when the key belongs to another request.
 */
export async function takeKey(tx: Queries, claim: OnceClaim): Promise<KeptAnswer | null> {
  const keyHash = hashOf(claim);
  const { fingerprint } = claim;
  const taken = await tx
    .insert(idempotencyKeys)
    .values({ keyHash, fingerprint })
    .onConflictDoUpdate({
      target: idempotencyKeys.keyHash,
      set: { fingerprint, reportId: null, answer: null, createdAt: sql`now()` },
      setWhere: sql`${idempotencyKeys.createdAt} <= now() - ${validFor}`,
    })
    .returning({ keyHash: idempotencyKeys.keyHash });
  if (taken.length === 1) return null;
  const kept = await readKey(tx, claim);
  if (kept === null)
    throw new DomainError("unavailable", "unavailable", "The Idempotency-Key was just removed; try again.");
  return kept;
}

/**
 * What was answered under a key, without taking it; null when nothing was. A twin that is on its way is not seen.
 * Throws DomainError("invalid") when the key belongs to another request.
 */
export async function readKey(queries: Queries, claim: OnceClaim): Promise<KeptAnswer | null> {
  const [row] = await queries
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.keyHash, hashOf(claim)), sql`${idempotencyKeys.createdAt} > now() - ${validFor}`));
  if (row === undefined) return null;
  if (row.fingerprint !== claim.fingerprint) {
    const message = "This Idempotency-Key was used for another request within the last 24 hours. Choose a new key.";
    throw new DomainError("invalid", "idempotency-key-reused", message, {
      issues: [{ header: "Idempotency-Key", code: "key_reused", message }],
    });
  }
  if (row.answer === null || row.reportId === null)
    throw new Error("An idempotency key was committed without its answer.");
  return { reportId: row.reportId, answer: row.answer };
}

/** Keeps the answer under the key, in the same transaction. */
export async function keepAnswer(tx: Queries, claim: OnceClaim, kept: KeptAnswer): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set(kept)
    .where(eq(idempotencyKeys.keyHash, hashOf(claim)));
}

function hashOf({ principalId, endpoint, key }: OnceClaim): string {
  return createHash("sha256")
    .update(JSON.stringify([principalId, endpoint, key]))
    .digest("hex");
}
