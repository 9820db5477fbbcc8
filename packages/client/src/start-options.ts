import type { CallOptions } from "./call-options.ts";
import { newKey } from "./idempotency-key.ts";
import { call } from "./transport/call.ts";
import type { Transport } from "./transport/send.ts";

/** How a report, or a further file of one, is started. */
export interface StartOptions extends CallOptions {
  /** Under which a repeated start gives the same report; one of its own when none is given. docs/contract.md §3.5. */
  readonly idempotencyKey?: string | undefined;
}

/** Starts what is made under the path, once, however often the request has to be sent. */
export async function start<Started>(
  transport: Transport,
  path: readonly string[],
  body: object,
  { idempotencyKey = newKey(), signal }: StartOptions = {},
): Promise<Started> {
  return call(transport, "POST", path, { signal }, { body, headers: { "Idempotency-Key": idempotencyKey } });
}
