import { isIP } from "node:net";
import { awaitUnlessAborted, type Clock } from "@reports/core/base";
import type { DeliveryFailureCode, DeliveryAttemptOutcome } from "@reports/core/webhook";
import {
  schemeAndPortOf,
  hostWithoutBrackets,
  isHostAllowed,
  findOutboundUrlProblem,
  type Allowlist,
} from "@reports/runtime";
import { createGuardedAgent, type RunningDnsLookup, type FindAddresses } from "@reports/runtime/egress";
import type { DeliveryAttemptOptions } from "./delivery-loop.ts";
import type { SignedDelivery } from "./sign-delivery.ts";

const maxDiscardedBytes = 4_096;

export interface DeliveryRequestResult {
  readonly outcome: DeliveryAttemptOutcome;
  readonly close: () => Promise<void>;
}

/** Sends one request. Rejects only with the reason of the signal. `now` replaces a missing `Date` header of the response. */
export type SendDelivery = (
  url: string,
  signed: SignedDelivery,
  attempt: DeliveryAttemptOptions & { readonly now: Clock },
) => Promise<DeliveryRequestResult>;

export interface DeliverySenderDeps {
  readonly allowlist: Allowlist;
  /** Resolves host names that callers choose, with the name servers of WEBHOOK_DNS_SERVERS. */
  readonly findAddresses: FindAddresses;
  /** Resolves host names that WEBHOOK_ALLOW contains, as the operating system does. */
  readonly findAllowed: FindAddresses;
  /** Limit for resolving a host name that a caller chose, and again for connecting. */
  readonly connectTimeoutMs: number;
  /** Limit from the beginning of an attempt until the status of the response arrives. */
  readonly timeoutMs: number;
}

/** Creates the sender. It checks the URL again before each request, and the address while it connects. Each attempt has its own connection. */
export function createDeliverySender(deps: DeliverySenderDeps): SendDelivery {
  return async (url, { body, headers }, { now, signal, onResolved }) => {
    if (findOutboundUrlProblem(url, deps.allowlist) !== null) return unsentRequest("ADDRESS_FORBIDDEN");
    const target = new URL(url);
    const isAllowed = isHostAllowed(deps.allowlist, target.hostname, schemeAndPortOf(target));
    const late = AbortSignal.timeout(deps.timeoutMs);
    const ends = AbortSignal.any([signal, late]);
    const search = startAddressSearch(deps, target, isAllowed, ends);
    void search.ended.then(onResolved);
    let agent: ReturnType<typeof createGuardedAgent> | undefined;
    // Waits for the end of the lookup, so that lookups never outnumber slots. A stopping worker does not wait.
    const close = async (): Promise<void> => {
      await agent?.destroy();
      await awaitUnlessAborted(search.ended, signal).catch(() => undefined);
    };
    try {
      const addresses = await search.addresses;
      agent = createGuardedAgent({
        allowlist: deps.allowlist,
        connectTimeoutMs: deps.connectTimeoutMs,
        lookup: (_, __, done) => done(null, [...addresses]),
      });
      const response = await agent.request({
        origin: target.origin,
        path: `${target.pathname}${target.search}`,
        method: "POST",
        headers,
        body,
        signal: ends,
        headersTimeout: deps.timeoutMs,
        bodyTimeout: deps.timeoutMs,
      });
      // Only the status counts. At most `maxDiscardedBytes` of the body are read and discarded, without waiting for them.
      void response.body.dump({ limit: maxDiscardedBytes, signal: ends }).catch(() => undefined);
      const retryAfterMs = readRetryAfterMs(response.headers, now);
      return { outcome: { kind: "answered", status: response.statusCode, retryAfterMs }, close };
    } catch (error) {
      if (signal.aborted) {
        await close();
        throw signal.reason;
      }
      const found = late.aborted ? "TIMED_OUT" : toDeliveryError(error);
      return isAllowed ? unsentRequest(found, found, close) : unsentRequest(disclosedCode(found), found, close);
    }
  };
}

function startAddressSearch(
  deps: DeliverySenderDeps,
  url: URL,
  isAllowed: boolean,
  ends: AbortSignal,
): RunningDnsLookup {
  // An IP address needs no lookup. The agent checks it when it connects.
  if (isIP(hostWithoutBrackets(url)) !== 0) return { addresses: Promise.resolve([]), ended: Promise.resolve() };
  if (isAllowed) return deps.findAllowed(url.hostname, ends);
  return deps.findAddresses(url.hostname, AbortSignal.any([ends, AbortSignal.timeout(deps.connectTimeoutMs)]));
}

/** Returns `Retry-After` (RFC 9110) in milliseconds, or null if it is invalid. A date counts from the response's `Date`. */
export function readRetryAfterMs(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  now: Clock,
): number | null {
  const { "retry-after": value, date } = headers;
  if (typeof value !== "string") return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  const sentAt = typeof date === "string" ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - (Number.isNaN(sentAt) ? now().getTime() : sentAt));
}

function unsentRequest(
  code: DeliveryFailureCode,
  found = code,
  close: DeliveryRequestResult["close"] = async () => undefined,
): DeliveryRequestResult {
  return { outcome: { kind: "unreachable", code, found }, close };
}

/** Hides the exact failure from the owner of the webhook, because it could reveal the private network: docs/decisions/0046-webhooks.md. */
function disclosedCode(found: DeliveryFailureCode): DeliveryFailureCode {
  return found === "NAME_NOT_FOUND" || found === "ADDRESS_FORBIDDEN" ? "CONNECTION_FAILED" : found;
}

function toDeliveryError(error: unknown): DeliveryFailureCode {
  const codes = collectErrorCodes(error);
  const has = (pattern: RegExp): boolean => codes.some((code) => pattern.test(code));
  if (has(/^ADDRESS_FORBIDDEN$/)) return "ADDRESS_FORBIDDEN";
  if (has(/TIMEOUT$|^ETIMEDOUT$/) || (error instanceof Error && error.name === "TimeoutError")) return "TIMED_OUT";
  if (has(/^(?:ENOTFOUND|ENODATA|EAI_\w+|ESERVFAIL|EREFUSED|ENOTIMP|EFORMERR|EBADNAME|EBADRESP)$/))
    return "NAME_NOT_FOUND";
  if (has(/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/)) return "TLS_FAILED";
  return "CONNECTION_FAILED";
}

function collectErrorCodes(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > 3) return [];
  const { code } = error as { code?: unknown };
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return [
    ...(typeof code === "string" ? [code] : []),
    ...[error.cause, ...inner].flatMap((each) => collectErrorCodes(each, depth + 1)),
  ];
}
