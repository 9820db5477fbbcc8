import { REPORTS_ADMIN, WEBHOOKS_WRITE } from "@reports/auth";
import type { OwnedCollectionDefinition } from "@reports/core/record";
import { ownedCollections } from "@reports/db";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { ApiUnderTest } from "./api-under-test.ts";

/** A request to an endpoint, with facts about the record that its URL names. The expected status depends on these facts. */
export interface PermissionTestRequest {
  readonly url: string;
  readonly state: "none" | "active" | "deleted" | "unknown";
  readonly reportType?: string;
  /** Name of the test caller that owns the record; undefined for records without owners. */
  readonly owner?: string;
  readonly body?: unknown;
}

const unknownId = "018f0000-0000-7000-8000-00000000dead";

interface TargetRecord {
  readonly id: string;
  readonly state: Exclude<PermissionTestRequest["state"], "none">;
  readonly reportType?: string;
  readonly owner?: string;
  readonly childId?: string;
}

/** Test callers that own a webhook for the reports of all callers (`of: ALL`). The first holds no authority of a report type, and the second holds one. */
export const allReportsWebhookOwners = [
  "administrator with webhooks",
  "administrator of one type with webhooks",
] as const;

/**
 * Creates an active and a deleted record of every kind that a path can name. Returns a function that lists the requests to test for an endpoint.
 * It uses only the endpoint's declaration, so that it covers new endpoints too.
 */
export async function createPermissionTestLister(
  api: ApiUnderTest,
): Promise<(endpoint: Endpoint) => readonly PermissionTestRequest[]> {
  const types = api.catalogue.list().map(({ type }) => type);
  const hearingAll = await Promise.all(
    allReportsWebhookOwners.map(async (owner) => ({ owner, id: await createWebhookOfAll(api, owner) })),
  );
  const reports: readonly TargetRecord[] = [
    ...(await Promise.all(types.map(async (type) => createReports(api, type)))).flat(),
    { id: unknownId, state: "unknown" },
  ];
  const fileIds = new Map(
    await Promise.all(
      reports.map(async ({ id }) => [id, (await api.reports.find(id))?.file?.id ?? unknownId] as const),
    ),
  );
  const linkIds = new Map<string, string>();
  for (const { id, state } of reports)
    if (state === "active") linkIds.set(id, await createLink(api, id, fileIds.get(id)!));
  const proxies = await createProxies(api);
  const webhooks = [...(await createWebhooks(api)), ...(await listDeliveries(api, hearingAll))];
  const schedules = await createSchedules(api, types[0]!);

  const plain = new Map<string, readonly TargetRecord[]>();
  for (const { definition } of ownedCollections) plain.set(definition.name, await createOwnedRecords(api, definition));

  return (endpoint) => {
    const { path, access } = endpoint;
    if (access.kind === "report-type" && access.in === "path") {
      return types.map((reportType) => ({
        url: path.replace("{reportType}", reportType).replace("{filter}", "method"),
        state: "none",
        reportType,
      }));
    }
    if (access.kind === "report-type" && access.in === "body") {
      return types.map((reportType) => ({
        url: path,
        state: "none",
        reportType,
        body: { reportType },
      }));
    }
    if (access.kind === "report-type" || (access.kind === "report" && access.in === "query")) {
      const subjects = access.kind === "report" ? reports : [{ id: "", state: "none", reportType: undefined } as const];
      return types.flatMap((reportType) =>
        subjects.map(({ id, state, reportType: own = reportType }) => ({
          url: `${path}?reportType=${reportType}${id === "" ? "" : `&id=${id}`}`,
          // If the query names another report type, the API answers as it does for an unknown report.
          state: own === reportType ? state : "unknown",
          reportType,
        })),
      );
    }
    if (access.kind === "report") {
      return reports.map(({ id, ...subject }) => ({
        ...subject,
        url: path
          .replace("{id}", id)
          .replace("{linkId}", linkIds.get(id) ?? unknownId)
          .replace(/\{\w+\}/g, fileIds.get(id)!),
      }));
    }
    if (!path.includes("{")) return [{ url: path, state: "none" }];
    const subjects: readonly TargetRecord[] = path.startsWith("/v1/proxies/")
      ? proxies
      : path.startsWith("/v1/webhooks/")
        ? webhooks
        : path.startsWith("/v1/report-schedules/")
          ? schedules
          : (plain.get(path.split("/")[2]!) ?? [{ id: unknownId, state: "unknown" }]);
    return subjects.map(({ id, childId = unknownId, ...subject }) => ({
      ...subject,
      url: path.replace(/\{\w+\}/, id).replace(/\{\w+\}/g, childId),
    }));
  };
}

async function createReports(api: ApiUnderTest, reportType: string): Promise<readonly TargetRecord[]> {
  const owner = await api.as(api.authorities.all, "owner");
  const ids = await Promise.all(
    [0, 1].map(async () => readId(await owner.post("/v1/reports").send({ reportType, format: "csv" }))),
  );
  for (const id of ids) await api.succeed(id, "name\n");
  await owner.delete(`/v1/reports/${ids[1]}`);
  return [
    { id: ids[0]!, state: "active", reportType },
    { id: ids[1]!, state: "deleted", reportType },
  ];
}

async function createLink(api: ApiUnderTest, id: string, fileId: string): Promise<string> {
  const owner = await api.as(api.authorities.all, "owner");
  return readId(await owner.post(`/v1/reports/${id}/files/${fileId}/links`).send({}));
}

async function createWebhooks(api: ApiUnderTest): Promise<readonly TargetRecord[]> {
  const owner = await api.as([WEBHOOKS_WRITE], "owner of webhooks");
  const make = async () =>
    readId(await owner.post("/v1/webhooks").send({ url: "https://receiver.example/", events: ["report.failed"] }));
  const [active, deleted] = [await make(), await make()];
  const test = await owner.post(`/v1/webhooks/${active}/deliveries`).send({ type: "webhook.test" });
  await owner.delete(`/v1/webhooks/${deleted}`);
  return [
    { id: active, state: "active", childId: readId(test), owner: "owner of webhooks" },
    { id: deleted, state: "deleted", owner: "owner of webhooks" },
    { id: unknownId, state: "unknown" },
  ];
}

async function createWebhookOfAll(api: ApiUnderTest, owner: string): Promise<string> {
  const caller = await api.as([WEBHOOKS_WRITE, REPORTS_ADMIN], owner);
  const webhook = { url: "https://receiver.example/", events: ["report.succeeded"], of: "ALL" };
  return readId(await caller.post("/v1/webhooks").send(webhook).expect(201));
}

async function listDeliveries(
  api: ApiUnderTest,
  webhooks: readonly { readonly id: string; readonly owner: string }[],
): Promise<readonly TargetRecord[]> {
  const rows = await api.sql<{ id: string; webhookId: string; reportType: string }[]>`
    select distinct on (webhook_id, report_type) delivery.id, webhook_id as "webhookId", report_type as "reportType"
    from webhook_deliveries as delivery join reports as report on report.id = report_id`;
  return rows.flatMap(({ id: childId, webhookId, reportType }) =>
    webhooks
      .filter(({ id }) => id === webhookId)
      .map(({ id, owner }) => ({ id, owner, childId, reportType, state: "active" as const })),
  );
}

async function createOwnedRecords(
  api: ApiUnderTest,
  { name, authority, example }: OwnedCollectionDefinition,
): Promise<readonly TargetRecord[]> {
  const owner = await api.as(authority === undefined ? [] : [authority], "owner");
  const [active, deleted] = [
    readId(await owner.post(`/v1/${name}`).send(example)),
    readId(await owner.post(`/v1/${name}`).send(example)),
  ];
  await owner.delete(`/v1/${name}/${deleted}`);
  return [
    { id: active, state: "active", owner: "owner" },
    { id: deleted, state: "deleted", owner: "owner" },
    { id: unknownId, state: "unknown" },
  ];
}

async function createSchedules(api: ApiUnderTest, reportType: string): Promise<readonly TargetRecord[]> {
  const owner = await api.as(api.authorities.all, "owner");
  const schedule = { name: "Yearly", reportType, cron: "0 0 1 1 *", options: { format: "csv" } };
  const ids = await Promise.all(
    [0, 1].map(async () => readId(await owner.post("/v1/report-schedules").send(schedule))),
  );
  const childId = readId(await owner.post(`/v1/report-schedules/${ids[0]}/fires`).send({}));
  await owner.delete(`/v1/report-schedules/${ids[1]}`);
  return [
    { id: ids[0]!, state: "active", childId, owner: "owner" },
    { id: ids[1]!, state: "deleted", owner: "owner" },
    { id: unknownId, state: "unknown" },
  ];
}

async function createProxies(api: ApiUnderTest): Promise<readonly TargetRecord[]> {
  const writer = await api.as(["REGISTRY_READ", "REGISTRY_WRITE"]);
  const proxy = { kind: "REVERSE", address: "192.0.2.1", protocol: "HTTP" };
  const ids = await Promise.all(
    [8001, 8002].map(async (port) =>
      readId(await writer.post("/v1/proxies").send({ ...proxy, port, name: `proxy-${port}` })),
    ),
  );
  const domain = {
    hostname: "a.example",
    upstreamScheme: "HTTP",
    upstreamHost: "b.example",
    upstreamPort: 80,
    tlsMode: "NONE",
  };
  const childId = readId(await writer.post(`/v1/proxies/${ids[0]}/domains`).send(domain));
  await writer.delete(`/v1/proxies/${ids[1]}`);
  return [
    { id: ids[0]!, state: "active", childId },
    { id: ids[1]!, state: "deleted" },
    { id: unknownId, state: "unknown" },
  ];
}

function readId({ body }: { readonly body: unknown }): string {
  return (body as { id: string }).id;
}
