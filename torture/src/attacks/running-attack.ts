import { once } from "node:events";
import { request, type IncomingMessage, type RequestOptions } from "node:http";

export interface AttackTarget {
  readonly origin: string;
  readonly token: string;
  /** Locks the table `domains`, so that every list of domains has to wait. Returns a function that releases the lock. */
  lockDomains(): Promise<() => Promise<void>>;
}

export interface AttackOutcome {
  readonly seen: string;
  readonly unexpected: readonly string[];
}

export interface RunningAttack {
  end(): Promise<AttackOutcome>;
}

/** A kind of hostile use of the API, such as guessing passwords. Each call of `begin` starts it once. */
export interface AttackKind {
  readonly name: string;
  begin(target: AttackTarget): Promise<RunningAttack>;
}

/**
 * The attacker's source address. Other callers have 127.0.0.1, so limits per address must not affect them. Linux routes 127.0.0.0/8 to the loopback
 * interface.
 */
export const attackerAddress = "127.0.0.2";

/** Sends a request without a body, and reads its whole response. Returns the status. */
export async function requestStatus(url: string, options: RequestOptions): Promise<number> {
  const [response] = (await once(request(url, options).end(), "response")) as [IncomingMessage];
  for await (const _ of response) continue;
  return response.statusCode!;
}
