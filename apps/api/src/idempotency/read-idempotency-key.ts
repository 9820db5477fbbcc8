import { parseIdempotencyKey, type OnceKey, type Report } from "@reports/core/report";
import { z } from "zod";
import type { Reply } from "../endpoint/endpoint.ts";

export const idempotencyKeyHeader = {
  "Idempotency-Key":
    "A key that the caller chooses, preferably a random UUID. Within 24 hours, the same start with the same key gets the first response again.",
};

export const idempotencyReplayedHeader = {
  "Idempotency-Replayed": "true when this was answered before under the same Idempotency-Key.",
};

const storedResponseSchema = z.object({ headers: z.record(z.string(), z.string()), body: z.unknown() });

/** Reads the `Idempotency-Key` of a start; undefined if it is missing. Throws DomainError("bad-request") if the key is malformed. */
export function readIdempotencyKey(
  header: string | undefined,
  endpoint: string,
  answer: (report: Report) => Reply,
): OnceKey | undefined {
  const key = parseIdempotencyKey(header);
  if (key === null) return undefined;
  return { endpoint, key, answerOf: (report) => serialiseReply(answer(report)) };
}

export function toReplayedReply(reply: Reply, stored: string): Reply {
  const { headers, body } = storedResponseSchema.parse(JSON.parse(stored));
  return { ...reply, headers: { ...headers, "Idempotency-Replayed": "true" }, body: { kind: "json", value: body } };
}

function serialiseReply({ headers = {}, body }: Reply): string {
  return JSON.stringify({ headers, body: body.kind === "json" ? body.value : null });
}
