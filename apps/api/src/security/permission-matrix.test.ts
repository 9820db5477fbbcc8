import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { REGISTRY_READ, REGISTRY_WRITE, REPORTS_ADMIN, WEBHOOKS_WRITE } from "@reports/auth";
import type { ReportVisibility } from "@reports/core/report";
import { createTestCaseDivider, isFullTestRun } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { startApiUnderTest, createTestToken, type ApiUnderTest } from "../test/api-under-test.ts";
import { loadTestReportTypes } from "../test/loaded-types.ts";
import { openRawClient, type RawClientResponse, type RawClient } from "../test/raw-client.ts";
import {
  createPermissionTestLister,
  allReportsWebhookOwners,
  type PermissionTestRequest,
} from "../test/permission-targets.ts";

const reportTypes = await loadTestReportTypes();
const reportAuthorities = reportTypes.map(({ authority }) => authority);
const [type, otherType] = reportTypes.map(({ definition }) => definition.type) as [string, string];

/** Authorities by caller. A caller with null sends no credentials, and one with `bad` sends a wrong token. `owner` has started most reports. */
const callers: Readonly<Record<string, readonly string[] | "bad" | null>> = {
  anonymous: null,
  "bad token": "bad",
  "no authority": [],
  ...Object.fromEntries(reportTypes.map(({ definition, authority }) => [`${definition.type} only`, [authority]])),
  "every type": reportAuthorities,
  owner: reportAuthorities,
  administrator: [...reportAuthorities, REPORTS_ADMIN],
  "administrator of no type": [REPORTS_ADMIN],
  "inventory reader": [REGISTRY_READ],
  "inventory writer": [REGISTRY_READ, REGISTRY_WRITE],
  "owner of webhooks": [WEBHOOKS_WRITE],
  "owner of other webhooks": [WEBHOOKS_WRITE],
  [allReportsWebhookOwners[0]]: [WEBHOOKS_WRITE, REPORTS_ADMIN],
  [allReportsWebhookOwners[1]]: [WEBHOOKS_WRITE, REPORTS_ADMIN, reportAuthorities[0]!],
  "revoked since": [],
};
type Caller = string;

let api: ApiUnderTest;
let client: RawClient;
/** A second API on the same database, with REPORT_VISIBILITY=requester. */
let restricted: ApiUnderTest;
let restrictedClient: RawClient;
let credentials: ReadonlyMap<Caller, string | null>;
let targets: Awaited<ReturnType<typeof createPermissionTestLister>>;
let endpoints: readonly Endpoint[];
let cases = 0;

beforeAll(async () => {
  api = await startApiUnderTest({ reportTypes });
  client = await openRawClient(api.listener);
  restricted = await startApiUnderTest({
    reportTypes,
    reportVisibility: "requester",
    databaseUrl: api.databaseUrl,
    store: api.store,
  });
  restrictedClient = await openRawClient(restricted.listener);
  endpoints = api.endpoints;
  await api.addUser("revoked", "right", [...reportAuthorities, REGISTRY_READ, REGISTRY_WRITE]);
  targets = await createPermissionTestLister(api);
  await api.sql`update users set authorities = '{}' where name = 'revoked'`;
  credentials = new Map(
    await Promise.all(
      Object.keys(callers).map(async (caller): Promise<[Caller, string | null]> => {
        const held: readonly string[] | "bad" | null = callers[caller]!;
        if (held === null) return [caller, null];
        if (held === "bad") return [caller, `Bearer ${(await createTestToken(reportAuthorities)).slice(0, -2)}xx`];
        if (caller === "revoked since") return [caller, `Basic ${Buffer.from("revoked:right").toString("base64")}`];
        return [caller, `Bearer ${await createTestToken(held, caller)}`];
      }),
    ),
  );
});
afterAll(async () => {
  await restrictedClient[Symbol.asyncDispose]();
  await restricted[Symbol.asyncDispose]();
  await client[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  process.stdout.write(`permission matrix: ${cases} cases over ${endpoints.length} endpoints\n`);
});

async function call(
  endpoint: Endpoint,
  method: string,
  target: PermissionTestRequest,
  caller: Caller,
  at = client,
): Promise<RawClientResponse> {
  cases += 1;
  const authorization = credentials.get(caller) ?? null;
  const headers = {
    // No record has this entity tag. So an allowed write ends with 412, and the records stay unchanged for later cases.
    "If-Match": '"no-such-version"',
    ...(authorization === null ? {} : { Authorization: authorization }),
  };
  if (endpoint.body === undefined) return at.ask({ method, path: target.url, headers });
  return at.ask({
    method,
    path: target.url,
    headers: { ...headers, "Content-Type": endpoint.body.mediaTypes[0]! },
    body: JSON.stringify(target.body ?? {}),
  });
}

async function statusBeforeBody(
  port: number,
  { method, body }: Endpoint,
  path: string,
  authorization: string | null,
): Promise<number | undefined> {
  const request = httpRequest({
    port,
    method,
    path,
    host: "127.0.0.1",
    agent: false,
    headers: {
      "Content-Type": body?.mediaTypes[0] ?? "application/json",
      "Content-Length": 200_000,
      ...(authorization === null ? {} : { Authorization: authorization }),
    },
  });
  request.on("error", () => undefined).flushHeaders();
  const [response] = (await once(request, "response", { signal: AbortSignal.timeout(60_000) })) as [IncomingMessage];
  request.destroy();
  return response.statusCode;
}

/** Derives the expected status from the endpoint's declaration and the target. `served` stands for any status except refusals and server errors. */
function expectedOf(
  endpoint: Endpoint,
  target: PermissionTestRequest,
  caller: Caller,
  visibility: ReportVisibility = "type",
): number | "served" {
  const held: readonly string[] | "bad" | null = callers[caller]!;
  const { access } = endpoint;
  if (access.kind === "public") return "served";
  if (held === null || held === "bad") return 401;
  if (access.kind === "password") return caller === "revoked since" ? "served" : 401;
  const needed = access.kind === "record" ? access.of.authority : "authority" in access ? access.authority : undefined;
  if (needed !== undefined && !held.includes(needed)) return 403;
  if (access.kind === "record") {
    const { owner, reportType } = target;
    const mayKnow = caller === owner || held.includes(REPORTS_ADMIN);
    if (target.state === "unknown" || !mayKnow) return 404;
    if (endpoint.path.endsWith("/{deliveryId}") && reportType !== undefined && !holds(held, reportType)) return 404;
    return target.state === "deleted" && endpoint.method !== "DELETE" ? 410 : "served";
  }
  if (access.kind === "authority") return "served";
  const holdsType = target.reportType !== undefined && holds(held, target.reportType);
  if (access.kind === "report-type") return holdsType ? "served" : 403;
  if (access.kind !== "report") return "served";
  if (access.in === "query" && !holdsType) return 403;
  const ownsOrAdministers = caller === "owner" || held.includes(REPORTS_ADMIN);
  const mayKnow = holdsType && (visibility === "type" || ownsOrAdministers);
  if (target.state === "unknown" || !mayKnow) return 404;
  // Only the creator of a link, here the requester of the report, and administrators can see it. Others get a 404.
  if (endpoint.operationId === "revokeDownloadLink" && !ownsOrAdministers)
    return target.state === "deleted" ? 410 : 404;
  if (access.changes === true && !ownsOrAdministers)
    return target.state === "deleted" && access.acceptsDeleted !== true ? 410 : 403;
  return "served";
}

function holds(held: readonly string[], reportType: string): boolean {
  const authority = api.authorities.of(reportType);
  return authority !== undefined && held.includes(authority);
}

async function readReports(): Promise<ReadonlyMap<string, { readonly type: string; readonly requestedBy: string }>> {
  const rows = await api.sql<{ id: string; type: string; requestedBy: string }[]>`
    select report.id, report.report_type as type, origin.requested_by as "requestedBy"
    from reports as report join reports as origin on origin.id = coalesce(report.file_of, report.id)`;
  return new Map(rows.map(({ id, ...report }) => [id, report]));
}

/** Returns the IDs of reports in a response that the caller may not see. IDs that the caller has sent in the URL don't count. */
function hiddenIn(
  answer: string,
  { url, caller, visibility }: { readonly url: string; readonly caller: Caller; readonly visibility: ReportVisibility },
  reports: Awaited<ReturnType<typeof readReports>>,
): readonly string[] {
  const held = callers[caller] ?? [];
  const mayKnow = ({ type, requestedBy }: { readonly type: string; readonly requestedBy: string }): boolean =>
    holds(held === "bad" ? [] : held, type) &&
    (visibility === "type" || requestedBy === principalOf(caller) || held.includes(REPORTS_ADMIN));
  const ids = new Set(answer.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g));
  return [...ids].filter((id) => !url.includes(id) && reports.has(id) && !mayKnow(reports.get(id)!));
}

const forNextTarget = createTestCaseDivider();
const forNextHead = createTestCaseDivider();
const forNextRefusal = createTestCaseDivider();

/** Calls an endpoint as every caller and compares each status with the expected one. Only the complete run in CI combines every caller with every target. */
async function expectContract(
  endpoint: Endpoint,
  asking: readonly Caller[],
  visibility: ReportVisibility = "type",
): Promise<void> {
  const asksHead = endpoint.method === "GET" && visibility === "type";
  // The visibility of reports changes nothing else, so the callers that other endpoints refuse are divided. Those that they serve are all asked.
  const repeatsRefusals = visibility === "requester" && endpoint.access.kind !== "report";
  const at = visibility === "type" ? client : restrictedClient;
  const asked = [];
  const all = targets(endpoint);
  // With one part per target, every caller asks the endpoint about some target. With more parts than callers, some targets would be left out.
  const parts = Math.min(Math.max(all.length, 1), asking.length);
  for (const target of all) {
    const share = forNextTarget(asking, parts);
    const isRepeated = (caller: Caller) =>
      repeatsRefusals && [401, 403].includes(Number(expectedOf(endpoint, target, caller, visibility)));
    const { true: repeated = [], false: remaining = [] } = Object.groupBy(share, (caller) => `${isRepeated(caller)}`);
    const answers = [
      ...[...remaining, ...forNextRefusal(repeated, 3)].map((caller) => [endpoint.method, caller] as const),
      ...(asksHead ? forNextHead(share, 3) : []).map((caller) => ["HEAD", caller] as const),
    ].map(async ([method, caller]) => ({ method, caller, ...(await call(endpoint, method, target, caller, at)) }));
    asked.push({ target, answers: await Promise.all(answers) });
  }
  const reports = await readReports();
  for (const { target, answers } of asked) {
    for (const { method, caller, status, text, headers } of answers) {
      const expected = expectedOf(endpoint, target, caller, visibility);
      const isMissed = target.state === "active" && (status === 404 || status === 410);
      const outcome = status === 401 || status === 403 || status >= 500 || isMissed ? status : "served";
      const seen = expected === 404 || expected === 410 ? status : outcome;
      const asked = { method, url: target.url, caller, visibility };
      const details = seen === expected ? {} : { text };
      expect({ ...asked, answer: seen, ...details }).toEqual({ ...asked, answer: expected });
      expect({ ...asked, mentions: hiddenIn(text + JSON.stringify(headers), asked, reports) }).toEqual({
        ...asked,
        mentions: [],
      });
    }
  }
}

/** Paths below which there are many endpoints. All other endpoints form the group `others`. */
const groups: readonly string[] = [
  "/v1/report",
  "/v1/reports",
  "/v1/report-schedules",
  "/v1/report-types",
  "/v1/webhooks",
  "/v1/proxies",
];
const others = "everything else";
const groupOf = (path: string): string =>
  groups.find((group) => path === group || path.startsWith(`${group}/`)) ?? others;

describe("every endpoint, target and caller", () => {
  // One test per group, because one test could not send thousands of requests within its time limit.
  test.each([...groups, others])(
    "every endpoint of the group %s answers each caller and target as documented",
    async (group) => {
      const before = cases;
      for (const endpoint of endpoints.filter(({ path }) => groupOf(path) === group))
        await expectContract(endpoint, Object.keys(callers));
      expect(cases - before).toBeGreaterThan(isFullTestRun ? 200 : 20);
    },
    300_000,
  );

  test("a refused caller gets 401 or 403 before it sends the body", async () => {
    const withBody = endpoints.filter(({ method, body }) => body !== undefined || method === "POST");
    let asked = 0;
    for (const endpoint of withBody) {
      for (const target of targets(endpoint)) {
        const refused = forNextTarget(Object.keys(callers), 4).flatMap((caller) => {
          const expected = expectedOf(endpoint, target, caller);
          // If the body names the report type, or the path names the report, the API reads the body before it checks the authority.
          // docs/reference/http.md#order-of-checks.
          const isRead =
            expected === 403 && ["body", "path"].includes("in" in endpoint.access ? endpoint.access.in : "");
          return (expected === 401 || expected === 403) && !isRead ? [{ caller, status: expected }] : [];
        });
        const answers = refused.map(async ({ caller }) => {
          const status = await statusBeforeBody(client.port, endpoint, target.url, credentials.get(caller) ?? null);
          return { caller, status };
        });
        expect({ url: target.url, answers: await Promise.all(answers) }).toEqual({ url: target.url, answers: refused });
        asked += refused.length;
      }
    }
    expect(asked).toBeGreaterThan(100);
  }, 300_000);

  test("the API refuses unsafe requests from pages of another site", async () => {
    const unsafe = endpoints.filter(({ method, access }) => method !== "GET" && access.kind !== "public");
    expect(unsafe.length).toBeGreaterThan(15);
    for (const endpoint of unsafe) {
      const [target] = targets(endpoint);
      const Authorization =
        endpoint.access.kind === "password" ? credentials.get("revoked since")! : credentials.get("administrator")!;
      const headers = { Authorization, "Sec-Fetch-Site": "cross-site", "Content-Type": "application/json" };
      const { status, body } = await client.ask({ method: endpoint.method, path: target!.url, headers, body: "{}" });
      expect([endpoint.operationId, status, body]).toMatchObject([
        endpoint.operationId,
        403,
        { code: "cross-site-refused" },
      ]);
    }
  });

  test("every endpoint below /v1/reports/{id} declares the access of a report", () => {
    for (const { path, access } of endpoints.filter((each) => each.path.startsWith("/v1/reports/{")))
      expect([path, access.kind]).toEqual([path, "report"]);
  });

  test("the API answers 400 to a wrong query before it loads the report or record", async () => {
    const named = endpoints.filter(({ access }) => access.kind === "record" || access.kind === "report");
    expect(named.length).toBeGreaterThan(15);
    for (const endpoint of named) {
      const unknown = targets(endpoint).find(
        ({ state, reportType }) => state === "unknown" && reportType !== otherType,
      )!;
      const url = `${unknown.url}${unknown.url.includes("?") ? "&" : "?"}nonsense=1`;
      const { status } = await call(endpoint, endpoint.method, { ...unknown, url }, allReportsWebhookOwners[1]);
      expect([endpoint.operationId, status]).toEqual([endpoint.operationId, 400]);
    }
  });

  test("every endpoint of a record with an owner declares the access of a record", () => {
    const owned = endpoints.filter(({ method, responses: { 200: answer } }) => {
      const schema = method === "GET" && answer?.kind === "json" ? answer.schema : undefined;
      return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, "owner");
    });
    expect(owned.length).toBeGreaterThan(1);
    for (const { path: own } of owned)
      for (const { path, access } of endpoints.filter((each) => each.path === own || each.path.startsWith(`${own}/`)))
        expect([path, access.kind]).toEqual([path, "record"]);
  });

  test("without the type's authority, a report gets the same 404 as an unknown ID", async () => {
    const onReports = endpoints.filter(({ access }) => access.kind === "report" && access.in === "path");
    expect(onReports.length).toBeGreaterThan(3);
    for (const endpoint of onReports) {
      const unknown = targets(endpoint).find(({ state }) => state === "unknown")!;
      for (const caller of ["no authority", `${otherType} only`, "administrator of no type", "revoked since"]) {
        const reference = await comparableResponse(endpoint, unknown, caller);
        for (const target of targets(endpoint).filter(({ reportType }) => reportType === type)) {
          expect(
            await comparableResponse(endpoint, target, caller),
            `${endpoint.operationId} ${target.state} ${caller}`,
          ).toEqual(reference);
        }
      }
    }
  });

  test("the list of reports has only types whose authority the caller has", async () => {
    for (const [caller, types] of [
      ...reportTypes.map(({ definition }) => [`${definition.type} only`, [definition.type]] as const),
      ["no authority", []],
      ["revoked since", []],
    ] as const) {
      const headers = { Authorization: credentials.get(caller)! };
      const { body, status } = await client.ask({ method: "GET", path: "/v1/reports", headers });
      expect(status).toBe(200);
      expect([...new Set((body as { reportType: string }[]).map(({ reportType }) => reportType))]).toEqual(types);
    }
  });

  test("lists of records with owners have the caller's own, and all for administrators", async () => {
    const lists = endpoints.filter(({ method, path, responses: { 200: answer } }) => {
      const schema = method === "GET" && !path.includes("{") && answer?.kind === "json" ? answer.schema : undefined;
      const item = schema instanceof z.ZodArray ? schema.element : undefined;
      return item instanceof z.ZodObject && Object.hasOwn(item.shape, "owner");
    });
    expect(lists.length).toBeGreaterThan(1);
    for (const { path } of lists) {
      const listFor = async (
        caller: Caller,
      ): Promise<{ readonly status: number; readonly owners: readonly string[] }> => {
        const authorization = credentials.get(caller) ?? null;
        const headers = authorization === null ? {} : { Authorization: authorization };
        const { status, body } = await client.ask({ method: "GET", path: `${path}?limit=200`, headers });
        const records = status === 200 ? (body as { readonly owner: string }[]) : [];
        return { status, owners: [...new Set(records.map(({ owner }) => owner))].toSorted() };
      };
      const { owners: all } = await listFor(allReportsWebhookOwners[0]);
      expect([path, all]).not.toEqual([path, []]);
      for (const [caller, held] of Object.entries(callers)) {
        const { status, owners } = await listFor(caller);
        const mayKnow =
          held?.includes(REPORTS_ADMIN) === true ? all : all.filter((owner) => owner === principalOf(caller));
        expect([200, 401, 403]).toContain(status);
        expect([path, caller, owners]).toEqual([path, caller, status === 200 ? mayKnow : []]);
      }
    }
  });
});

describe("REPORT_VISIBILITY=requester", () => {
  test("with REPORT_VISIBILITY=requester, every report endpoint answers as documented", async () => {
    const asking = [`${type} only`, "every type", "owner", "administrator", "administrator of no type"];
    const onReports = endpoints.filter(({ access }) => access.kind === "report");
    expect(onReports.length).toBeGreaterThan(5);
    for (const endpoint of onReports) await expectContract(endpoint, asking, "requester");
  });

  test("with REPORT_VISIBILITY=requester, non-report endpoints send no hidden report ID", async () => {
    const others = endpoints.filter(({ access }) => access.kind !== "report" && access.kind !== "report-type");
    expect(others.length).toBeGreaterThan(20);
    for (const endpoint of others) await expectContract(endpoint, Object.keys(callers), "requester");
  });

  test("with REPORT_VISIBILITY=requester, others get the same 404 as for an unknown ID", async () => {
    for (const endpoint of endpoints.filter(({ access }) => access.kind === "report")) {
      const ofType = targets(endpoint).filter(
        ({ url }) => !/reportType=/.test(url) || url.includes(`reportType=${type}&`),
      );
      const unknown = ofType.find(({ state }) => state === "unknown")!;
      const reference = await comparableResponse(endpoint, unknown, "every type", restrictedClient);
      expect(reference.status).toBe(404);
      for (const target of ofType) {
        const seen = await comparableResponse(endpoint, target, "every type", restrictedClient);
        expect(seen, `${endpoint.operationId} ${target.state}`).toEqual(reference);
      }
    }
    const lines = restricted.lines.filter(
      ({ audit, principal }) => audit === true && principal === principalOf("every type"),
    );
    expect(lines.filter(({ outcome, recordId }) => outcome === "refused" && recordId !== null)).not.toEqual([]);
  });

  test("with REPORT_VISIBILITY=requester, lists return and count only visible reports", async () => {
    const ofOwner = `&requestedBy=${encodeURIComponent(principalOf("owner"))}`;
    for (const [caller, query, requesters] of [
      ["owner", "", ["owner"]],
      ["every type", "", ["every type"]],
      ["every type", "&requestedBy=me", ["every type"]],
      ["every type", ofOwner, []],
      ["administrator", ofOwner, ["owner"]],
      ["administrator of no type", "", []],
    ] as const) {
      const headers = { Authorization: credentials.get(caller)! };
      const path = `/v1/reports?count=exact&limit=200${query}`;
      const { body, headers: answered } = await restrictedClient.ask({ method: "GET", path, headers });
      const reports = body as { requestedBy: string }[];
      expect([caller, query, [...new Set(reports.map(({ requestedBy }) => requestedBy))]]).toEqual([
        caller,
        query,
        requesters.map(principalOf),
      ]);
      expect(Number(answered["x-total-count"])).toBe(reports.length);
    }
  });

  test("with REPORT_VISIBILITY=requester, no start or key returns another's report", async () => {
    const ids = [];
    for (const caller of ["owner", "every type", "administrator"] as const) {
      const headers = { Authorization: credentials.get(caller)! };
      const path = `/v1/report?reportType=${type}&title=alike`;
      for (const more of [{}, { "Idempotency-Key": "alike" }]) {
        const { body } = await restrictedClient.ask({ method: "GET", path, headers: { ...headers, ...more } });
        ids.push((body as { id: string }).id);
      }
    }
    expect(new Set(ids).size).toBe(6);
  });
});

function principalOf(caller: Caller): string {
  return `https://issuer.example|${caller}`;
}

async function comparableResponse(endpoint: Endpoint, target: PermissionTestRequest, caller: Caller, at = client) {
  const { status, text, headers } = await call(endpoint, endpoint.method, target, caller, at);
  const {
    date: _date,
    "x-request-id": requestId,
    "content-length": _length,
    ...others
  } = headers as Record<string, string>;
  const path = target.url.split("?", 1)[0]!;
  return { status, headers: others, text: text.replaceAll(requestId!, "<request>").replaceAll(path, "<path>") };
}
