import { GatewayError, type Gateway, type List } from "@reports/client";
import { REPORTS_ADMIN, WEBHOOKS_WRITE } from "./authorities.ts";
import { firstPage } from "./first-page.ts";

/** What there is for somebody, where authorities alone do not say it. */
export interface Offer {
  /** Whether they may make schedules, or have some: those stay theirs when the authority for their type is gone. */
  readonly schedules: boolean;
  /** Whether they may have webhooks, and the deployment has any. */
  readonly webhooks: boolean;
}

const patienceMs = 5_000;

/** Asks for it, once, at the sign-in. */
export async function offerTo(
  gateway: Gateway,
  { authorities, mayStart }: { readonly authorities: ReadonlySet<string>; readonly mayStart: boolean },
): Promise<Offer> {
  const signal = AbortSignal.timeout(patienceMs);
  const one = { limit: 1 };
  return {
    schedules:
      mayStart || authorities.has(REPORTS_ADMIN) || ((await countOf(gateway.schedules.list(one, { signal }))) ?? 0) > 0,
    webhooks: authorities.has(WEBHOOKS_WRITE) && (await countOf(gateway.webhooks.list(one, { signal }))) !== null,
  };
}

/** How many there are at the least; null where the deployment does not have such things. What cannot be told now is there: its page says more. */
async function countOf(list: List<unknown>): Promise<number | null> {
  try {
    return (await firstPage(list)).items.length;
  } catch (error) {
    return error instanceof GatewayError && error.status === 404 ? null : 1;
  }
}
