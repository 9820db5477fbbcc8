import type { CallOptions } from "./call-options.ts";

/** How a report, or a further file of one, is started. */
export interface StartOptions extends CallOptions {
  /** Under which a repeated start gives the same report; one of its own when none is given. docs/contract.md §3.5. */
  readonly idempotencyKey?: string | undefined;
}
