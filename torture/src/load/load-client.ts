import { setTimeout as wait } from "node:timers/promises";
import { REPORTS_ADMIN, WEBHOOKS_WRITE } from "@reports/auth";
import { createSeededRandom, signToken, type StandProcess } from "@reports/testing";
import { tortureAuthority } from "../report-types.ts";
import type { TortureReportRequest } from "./report-variants.ts";

export interface SeenReport {
  readonly id: string;
  readonly status: string;
  readonly rowCount: number | null;
  readonly dataAsOf: string | null;
  readonly warnings: readonly unknown[];
  readonly file: { readonly id: string; readonly size: number; readonly sha256: string } | null;
}

export type LoadClient = ReturnType<typeof createLoadClient>;

const callTimeoutMs = 15_000;
const patienceMs = 180_000;
/** Maximum ms per call. It exceeds all time limits of the API, so that the API responds before the client gives up. */
const singleCallTimeoutMs = 90_000;

/** Creates a client. It sends each call to a random API instance, as a balancer without health checks does. */
export function createLoadClient(
  stand: { readonly apis: readonly StandProcess[]; readonly jwtSecret: string },
  seed: number,
) {
  const random = createSeededRandom(seed, 4, 0);
  const responses = new Map<number, number>();
  const troubles: { from: number; to: number; status: number; what: string }[] = [];

  async function call(method: string, path: string, subject: string, init: RequestInit = {}): Promise<Response | null> {
    const { origin } = random.pick(stand.apis);
    const from = Date.now();
    let response: Response | null = null;
    try {
      response = await fetch(`${origin}${path}`, {
        ...init,
        method,
        headers: { authorization: `Bearer ${createTortureToken(subject, stand.jwtSecret)}`, ...init.headers },
        signal: init.signal ?? AbortSignal.timeout(callTimeoutMs),
      });
    } catch {}
    const status = response?.status ?? 0;
    responses.set(status, (responses.get(status) ?? 0) + 1);
    if (status === 0 || status >= 500) troubles.push({ from, to: Date.now(), status, what: `${method} ${path}` });
    return response;
  }

  async function change(method: string, id: string, init: RequestInit = {}): Promise<boolean | null> {
    const response = await call(method, `/v1/reports/${id}`, "admin", init);
    await response?.arrayBuffer().catch(() => undefined);
    if (response === null || response.status >= 500 || response.status === 429) return null;
    return response.ok;
  }

  /** Repeats a call until it succeeds or gets a 4xx that a repetition would not change, so not 429. Rejects after `patienceMs`. */
  async function retryUntilDecided(what: string, send: () => Promise<Response | null>) {
    for (const endsAt = Date.now() + patienceMs; ;) {
      const response = await send();
      const text = await response?.text().catch(() => null);
      // A response whose body broke off is treated like no response.
      if (response !== null && response.status < 500 && response.status !== 429 && (text || !response.ok))
        return { status: response.status, isAccepted: response.ok, text: text ?? "" };
      if (Date.now() > endsAt) throw new Error(`${what} was not accepted within ${patienceMs / 1000} s.`);
      const retryAfterSeconds = Number(response?.headers.get("retry-after") ?? 1) || 1;
      await wait(Math.min(retryAfterSeconds, 5) * 1000);
    }
  }

  return {
    responses,
    troubles,
    send: call,
    retryUntilDecided,
    /**
     * Repeats a POST until it succeeds, on paths of reports with an idempotency key. Resolves with the body, or with null after a 4xx other than
     * 429. Rejects after `patienceMs`.
     */
    async postUntilAccepted(path: string, body: unknown, key: string) {
      const headers = {
        "content-type": "application/json",
        // Only paths of reports accept the idempotency key.
        ...(path.startsWith("/v1/reports/") ? { "idempotency-key": key } : {}),
      };
      const init = { headers, body: JSON.stringify(body) };
      const { isAccepted, text } = await retryUntilDecided(path, async () => call("POST", path, `caller-${key}`, init));
      return isAccepted ? text : null;
    },
    async start(request: TortureReportRequest, key: string) {
      const usesLegacyEndpoint = random.chance(0.5) && request.searchParam === undefined;
      const { reportType, ...options } = request;
      const query = new URLSearchParams({ reportType, ...textsOf(options) });
      const headers = { "content-type": "application/json", "idempotency-key": key };
      const { status, text } = await retryUntilDecided(`Starting ${key}`, async () =>
        usesLegacyEndpoint
          ? call("GET", `/v1/report?${query.toString()}`, `caller-${key}`, { headers: { "idempotency-key": key } })
          : call("POST", "/v1/reports", `caller-${key}`, { headers, body: JSON.stringify(request) }),
      );
      if (status !== 202) throw new Error(`Starting ${key} was refused with ${status}: ${text}`);
      return (JSON.parse(text) as SeenReport).id;
    },
    /**
     * Sends one start without an idempotency key and does not repeat it. The title identifies the report in the database. Status 0 means no response.
     */
    async startOnce(request: TortureReportRequest, title: string) {
      const response = await call("POST", "/v1/reports", `caller-${title}`, {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...request, title }),
        signal: AbortSignal.timeout(singleCallTimeoutMs),
      });
      const text = await response?.text().catch(() => null);
      if (response === null || text === null || text === undefined) return { status: 0, id: null };
      return { status: response.status, id: response.status === 202 ? (JSON.parse(text) as SeenReport).id : null };
    },
    /** Reads a report. Resolves with "deleted" after a 410, and with null if there is no complete response. */
    async read(id: string) {
      const response = await call("GET", `/v1/reports/${id}`, "admin");
      const text = await response?.text().catch(() => null);
      if (response?.status === 410) return "deleted";
      if (response?.status === 404) throw new Error(`The acknowledged report ${id} got 404.`);
      return response?.status === 200 && text ? (JSON.parse(text) as SeenReport) : null;
    },
    /** Cancels a report. Resolves with whether the API accepted it, or with null if there was no decision and the call must be repeated. */
    cancel: async (id: string) =>
      change("PATCH", id, {
        headers: { "content-type": "application/merge-patch+json" },
        body: '{"status":"CANCELLED"}',
      }),
    remove: async (id: string) => change("DELETE", id),
    async download(reportType: string, id: string, signal?: AbortSignal) {
      const init = signal === undefined ? {} : { signal };
      const response = await call("GET", `/v1/report/download?reportType=${reportType}&id=${id}`, "admin", init);
      if (response === null) throw new Error(`The download of ${id} got no response.`);
      return response;
    },
  };
}

function textsOf(options: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : String(value)]),
  );
}

export const otherAdminName = "other-admin";
const adminNames: ReadonlySet<string> = new Set(["admin", otherAdminName]);

/**
 * Returns a token with the authorities of all report types and `additional` ones. Subjects that are administrators also get REPORTS_ADMIN and
 * WEBHOOKS_WRITE.
 */
export function createTortureToken(subject: string, secret: string, additional: readonly string[] = []): string {
  const own = adminNames.has(subject) ? [REPORTS_ADMIN, WEBHOOKS_WRITE] : [];
  const authorities = ["REPORT_PROXY", "REPORT_PROXY_DOMAIN", tortureAuthority, ...additional, ...own];
  return signToken({ secret, subject, authorities });
}
