import { GatewayError, type Gateway, type List } from "@reports/client";
import { REPORTS_ADMIN, WEBHOOKS_WRITE } from "./authorities.ts";
import { firstPage } from "./first-page.ts";

/** Features that depend on more than authorities. */
export interface Capabilities {
  /** Whether the caller may create schedules, or has some: those remain without the authority for their type. */
  readonly schedules: boolean;
  /** Whether the caller may have webhooks, and the deployment supports them. */
  readonly webhooks: boolean;
}

const timeoutMs = 5_000;

/** Called once, at the sign-in. */
export async function readCapabilities(
  gateway: Gateway,
  { authorities, mayStart }: { readonly authorities: ReadonlySet<string>; readonly mayStart: boolean },
): Promise<Capabilities> {
  const signal = AbortSignal.timeout(timeoutMs);
  const one = { limit: 1 };
  return {
    schedules:
      mayStart || authorities.has(REPORTS_ADMIN) || ((await countOf(gateway.schedules.list(one, { signal }))) ?? 0) > 0,
    webhooks: authorities.has(WEBHOOKS_WRITE) && (await countOf(gateway.webhooks.list(one, { signal }))) !== null,
  };
}

/** At least how many there are; null if the deployment lacks the feature. An unknown count is 1: the page shows more. */
async function countOf(list: List<unknown>): Promise<number | null> {
  try {
    return (await firstPage(list)).items.length;
  } catch (error) {
    return error instanceof GatewayError && error.status === 404 ? null : 1;
  }
}
