import { GatewayError, type List, type RecordGateway } from "@reports/client";
import { REPORTS_ADMIN, WEBHOOKS_WRITE } from "./authorities.ts";
import { readFirstPage } from "./first-page.ts";

export interface UserCapabilities {
  /** Whether the user may create schedules or has some. A user who loses the authority for a report type keeps existing schedules of the type. */
  readonly schedules: boolean;
  readonly webhooks: boolean;
}

const requestTimeoutMs = 5_000;

export async function readCapabilities(
  gateway: RecordGateway,
  { authorities, mayStart }: { readonly authorities: ReadonlySet<string>; readonly mayStart: boolean },
): Promise<UserCapabilities> {
  const signal = AbortSignal.timeout(requestTimeoutMs);
  const one = { limit: 1 };
  return {
    schedules:
      mayStart ||
      authorities.has(REPORTS_ADMIN) ||
      ((await minCount(gateway.schedules.list(one, { signal }))) ?? 0) > 0,
    webhooks: authorities.has(WEBHOOKS_WRITE) && (await minCount(gateway.webhooks.list(one, { signal }))) !== null,
  };
}

async function minCount(list: List<unknown>): Promise<number | null> {
  try {
    return (await readFirstPage(list)).items.length;
  } catch (error) {
    return error instanceof GatewayError && error.status === 404 ? null : 1;
  }
}
