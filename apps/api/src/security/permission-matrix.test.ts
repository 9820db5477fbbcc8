import { REGISTRY_READ, REGISTRY_WRITE, REPORTS_ADMIN } from "@reports/auth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import request from "supertest";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { startApiUnderTest, tokenOf } from "../test/api-under-test.ts";
import type { ApiUnderTest } from "../test/api-under-test.ts";
import { listTargets, type Target } from "../test/permission-targets.ts";

/** Who calls: what they send, and what they hold. The requester of all reports is `owner`. */
const callers = {
  anonymous: null,
  "bad token": "bad",
  "no authority": [],
  "PROXY only": ["REPORT_PROXY"],
  "PROXY_DOMAIN only": ["REPORT_PROXY_DOMAIN"],
  both: ["REPORT_PROXY", "REPORT_PROXY_DOMAIN"],
  owner: ["REPORT_PROXY", "REPORT_PROXY_DOMAIN"],
  administrator: ["REPORT_PROXY", "REPORT_PROXY_DOMAIN", REPORTS_ADMIN],
  "administrator of no type": [REPORTS_ADMIN],
  "register's reader": [REGISTRY_READ],
  "register's writer": [REGISTRY_READ, REGISTRY_WRITE],
  "revoked since": [],
} as const satisfies Readonly<Record<string, readonly string[] | "bad" | null>>;
type Caller = keyof typeof callers;

let api: ApiUnderTest;
let credentials: ReadonlyMap<Caller, string | null>;
let targets: Awaited<ReturnType<typeof listTargets>>;
let endpoints: readonly Endpoint[];
let cases = 0;

beforeAll(async () => {
  api = await startApiUnderTest();
  endpoints = api.endpoints;
  await api.addUser("revoked", "right", ["REPORT_PROXY", "REPORT_PROXY_DOMAIN", REGISTRY_READ, REGISTRY_WRITE]);
  targets = await listTargets(api);
  await api.sql`update users set authorities = '{}' where name = 'revoked'`;
  credentials = new Map(
    await Promise.all(
      (Object.keys(callers) as Caller[]).map(async (caller): Promise<[Caller, string | null]> => {
        const held: readonly string[] | "bad" | null = callers[caller];
        if (held === null) return [caller, null];
        if (held === "bad") return [caller, `Bearer ${(await tokenOf(["REPORT_PROXY"])).slice(0, -2)}xx`];
        if (caller === "revoked since") return [caller, `Basic ${Buffer.from("revoked:right").toString("base64")}`];
        return [caller, `Bearer ${await tokenOf(held, caller)}`];
      }),
    ),
  );
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  process.stdout.write(`permission matrix: ${cases} cases over ${endpoints.length} endpoints\n`);
});

function call(endpoint: Endpoint, method: string, target: Target, caller: Caller) {
  cases += 1;
  const verb = method.toLowerCase() as "get" | "head" | "post" | "put" | "patch" | "delete";
  // No version has this tag: who may write gets as far as 412, and nothing changes for the cases that follow.
  let sent = request(api.listener)[verb](target.url).set("If-Match", '"no-such-version"');
  const authorization = credentials.get(caller) ?? null;
  if (authorization !== null) sent = sent.set("Authorization", authorization);
  return endpoint.body === undefined
    ? sent
    : sent.set("Content-Type", endpoint.body.mediaTypes[0]!).send(JSON.stringify(target.body ?? {}));
}

/** What the contract says, from the endpoint's description and the target alone. `served` is anything but a refusal or a failure. */
function expectedOf(endpoint: Endpoint, target: Target, caller: Caller): number | "served" {
  const held: readonly string[] | "bad" | null = callers[caller];
  const { access } = endpoint;
  if (access.kind === "public") return "served";
  if (held === null || held === "bad") return 401;
  if (access.kind === "password") return caller === "revoked since" ? "served" : 401;
  if (access.kind === "authority") return held.includes(access.authority) ? "served" : 403;
  const authority = target.reportType === undefined ? undefined : api.authorities.of(target.reportType);
  const holdsType = authority !== undefined && held.includes(authority);
  if (access.kind === "report-type") return holdsType ? "served" : 403;
  if (!target.isReport) return "served";
  if (target.state === "unknown" || !holdsType) return 404;
  const writes = endpoint.method !== "GET";
  if (writes && caller !== "owner" && !held.includes(REPORTS_ADMIN))
    return target.state === "deleted" && endpoint.method !== "DELETE" ? 410 : 403;
  return "served";
}

describe("every endpoint, target and caller", () => {
  test("is answered as the contract says", async () => {
    for (const endpoint of endpoints) {
      const methods = endpoint.method === "GET" ? ["GET", "HEAD"] : [endpoint.method];
      for (const target of targets(endpoint)) {
        for (const caller of Object.keys(callers) as Caller[]) {
          const expected = expectedOf(endpoint, target, caller);
          for (const method of methods) {
            const { status } = await call(endpoint, method, target, caller);
            const isMissed = target.state === "living" && (status === 404 || status === 410);
            const outcome = status === 401 || status === 403 || status >= 500 || isMissed ? status : "served";
            const seen = expected === 404 || expected === 410 ? status : outcome;
            expect({ method, url: target.url, caller, answer: seen }).toEqual({
              method,
              url: target.url,
              caller,
              answer: expected,
            });
          }
        }
      }
    }
    expect(cases).toBeGreaterThan(1_000);
  }, 120_000);

  test("gives nobody without a report's authority another 404 than for a report that never was, byte for byte", async () => {
    const onReports = endpoints.filter(
      ({ path, access }) => path.includes("/v1/reports/{") && access.kind === "authenticated",
    );
    expect(onReports.length).toBeGreaterThan(3);
    for (const endpoint of onReports) {
      const unknown = targets(endpoint).find(({ state }) => state === "unknown")!;
      for (const caller of [
        "no authority",
        "PROXY_DOMAIN only",
        "administrator of no type",
        "revoked since",
      ] as const) {
        const reference = await shape(endpoint, unknown, caller);
        for (const target of targets(endpoint).filter(({ reportType }) => reportType === "PROXY")) {
          expect(await shape(endpoint, target, caller), `${endpoint.operationId} ${target.state} ${caller}`).toEqual(
            reference,
          );
        }
      }
    }
  });

  test("lists show a caller only the reports whose authority they hold", async () => {
    for (const [caller, types] of [
      ["PROXY only", ["PROXY"]],
      ["PROXY_DOMAIN only", ["PROXY_DOMAIN"]],
      ["no authority", []],
      ["revoked since", []],
    ] as const) {
      const { body, status } = await request(api.listener)
        .get("/v1/reports")
        .set("Authorization", credentials.get(caller)!);
      expect(status).toBe(200);
      expect([...new Set((body as { reportType: string }[]).map(({ reportType }) => reportType))]).toEqual(types);
    }
  });
});

/** An answer without what differs between any two requests: the request's id, its path and the date. */
async function shape(endpoint: Endpoint, target: Target, caller: Caller) {
  const { status, text, headers } = await call(endpoint, endpoint.method, target, caller);
  const {
    date: _date,
    "x-request-id": requestId,
    "content-length": _length,
    ...others
  } = headers as Record<string, string>;
  const path = target.url.split("?", 1)[0]!;
  return { status, headers: others, text: text.replaceAll(requestId!, "<request>").replaceAll(path, "<path>") };
}
