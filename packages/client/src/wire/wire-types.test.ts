import {
  deliveryFilters,
  domainsCollection,
  proxiesCollection,
  reportFilters,
  scheduleFilters,
  scheduleFireFilters,
  webhookFilters,
} from "@reports/core";
import type * as Core from "@reports/core/http";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { CreatedDownloadLink, DownloadLink, DownloadLinkInput } from "./download-link.ts";
import type { ProblemCode } from "./enumerations.ts";
import type { Open } from "./open.ts";
import type { Issue, Problem } from "./problem.ts";
import type {
  DomainQuery,
  ListQuery,
  ProxyQuery,
  ReportQuery,
  ReportScheduleFireQuery,
  ReportScheduleQuery,
  ServedDomainQuery,
} from "./queries.ts";
import type { Domain, DomainInput, Proxy, ProxyInput } from "./register.ts";
import type { Lane, Worker } from "./queue.ts";
import type { ReportEstimate, ReportRow } from "./report-estimate.ts";
import type { ReportSchedule, ReportScheduleFire } from "./report-schedule.ts";
import type { ReportType } from "./report-type.ts";
import type {
  ProgressEvent,
  Report,
  ReportEvent,
  ReportFile,
  ReportFileRecord,
  ReportFileStart,
  ReportProgress,
  ReportStart,
  StartedReport,
} from "./report.ts";
import type { Caller } from "./caller.ts";
import type {
  CreatedWebhook,
  DeliveryQuery,
  RotatedSecret,
  Webhook,
  WebhookDelivery,
  WebhookInput,
  WebhookPatch,
  WebhookQuery,
} from "./webhook.ts";
import type { Token } from "./token.ts";

/** A type of the gateway as callers may take it: enumerations are open, and nothing is changed. */
type Opened<T> = T extends string
  ? string extends T
    ? T
    : Open<T>
  : T extends readonly (infer Item)[]
    ? readonly Opened<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Opened<T[Key]> }
      : T;

/** All fields of an input in one object type, each of which may be undefined where it may be left out. */
type Given<T> = { readonly [Key in keyof T]: Opened<T[Key]> | (Partial<T>[Key] extends T[Key] ? undefined : never) };

/** The names that a query takes, each of them once; a name too many or too few does not compile. */
const common = { sort: 1, limit: 1, count: 1, timezone: 1, createdFrom: 1, createdTo: 1 } satisfies Named<ListQuery>;
type Named<Query> = Readonly<Record<keyof Required<Query>, 1>>;
const reportNames = {
  ...common,
  reportType: 1,
  status: 1,
  format: 1,
  requestedBy: 1,
  scheduleId: 1,
} satisfies Named<ReportQuery>;
const scheduleNames = { ...common, reportType: 1, status: 1, owner: 1, q: 1 } satisfies Named<ReportScheduleQuery>;
const { createdFrom: _, createdTo: _2, ...undated } = common;
const fireNames = {
  ...undated,
  outcome: 1,
  scheduledFrom: 1,
  scheduledTo: 1,
} satisfies Named<ReportScheduleFireQuery>;
const webhookNames = { ...common, status: 1 } satisfies Named<WebhookQuery>;
const deliveryNames = { ...common, status: 1 } satisfies Named<DeliveryQuery>;
const proxyNames = {
  ...common,
  q: 1,
  name: 1,
  kind: 1,
  software: 1,
  region: 1,
  countryCode: 1,
  environment: 1,
  adminState: 1,
  health: 1,
  ownerTeam: 1,
  tag: 1,
  port: 1,
} satisfies Named<ProxyQuery>;
const domainNames = {
  ...common,
  q: 1,
  hostname: 1,
  hostnameSuffix: 1,
  status: 1,
  tlsMode: 1,
  tlsMinVersion: 1,
  certIssuer: 1,
  severity: 1,
  issue: 1,
  httpsForced: 1,
  hstsEnabled: 1,
  upstreamHost: 1,
  upstreamPort: 1,
  certNotAfterFrom: 1,
  certNotAfterTo: 1,
} satisfies Named<DomainQuery>;
const servedNames = {
  ...domainNames,
  servesHost: 1,
  proxyId: 1,
  proxyName: 1,
  proxyRegion: 1,
  proxyEnvironment: 1,
  proxyOwnerTeam: 1,
} satisfies Named<ServedDomainQuery>;

type ServerFields = "id" | "proxyId" | "hostnameAscii" | "createdAt" | "updatedAt";

describe("the types of the client are those of the gateway, with open enumerations", () => {
  test("compiled by tsc: what differs is an error there", () => {
    expectTypeOf<Report>().toEqualTypeOf<Opened<Core.Report>>();
    expectTypeOf<StartedReport>().toEqualTypeOf<Opened<Core.StartedReport>>();
    expectTypeOf<ReportFile>().toEqualTypeOf<Opened<Core.ReportFile>>();
    expectTypeOf<ReportFileRecord>().toEqualTypeOf<Opened<Core.ReportFileRecord>>();
    expectTypeOf<Given<ReportFileStart>>().toEqualTypeOf<Given<Opened<Core.ReportFileStart>>>();
    expectTypeOf<ReportProgress>().toEqualTypeOf<Opened<Core.ReportProgress>>();
    expectTypeOf<ReportEvent>().toEqualTypeOf<Opened<Core.ReportEvent>>();
    expectTypeOf<ReportType>().toEqualTypeOf<Opened<Core.ReportType>>();
    expectTypeOf<ReportEstimate>().toEqualTypeOf<Opened<Core.ReportEstimate>>();
    expectTypeOf<ReportRow>().toEqualTypeOf<Readonly<Opened<Core.ReportRow>>>();
    expectTypeOf<ReportScheduleFire>().toEqualTypeOf<Opened<Core.ReportScheduleFire>>();
    expectTypeOf<ReportSchedule["nextFires"]>().toEqualTypeOf<Opened<Core.ReportSchedule>["nextFires"]>();
    expectTypeOf<keyof ReportSchedule>().toEqualTypeOf<keyof Core.ReportSchedule>();
    expectTypeOf<Lane>().toEqualTypeOf<Opened<Core.Lane>>();
    expectTypeOf<Worker>().toEqualTypeOf<Opened<Core.Worker>>();
    expectTypeOf<Problem>().toEqualTypeOf<Opened<Core.Problem>>();
    expectTypeOf<Issue>().toEqualTypeOf<Opened<Core.Issue>>();
    expectTypeOf<ProblemCode>().toEqualTypeOf<Open<Core.ProblemCode>>();
    expectTypeOf<Proxy>().toEqualTypeOf<Opened<Core.Proxy>>();
    expectTypeOf<Domain>().toEqualTypeOf<Opened<Core.Domain>>();
    expectTypeOf<Caller>().toEqualTypeOf<Readonly<Core.Caller>>();
    expectTypeOf<Token>().toEqualTypeOf<Readonly<Core.Token>>();
    expectTypeOf<CreatedDownloadLink>().toEqualTypeOf<Readonly<Core.CreatedDownloadLink>>();
    expectTypeOf<Webhook>().toEqualTypeOf<Opened<Core.Webhook>>();
    expectTypeOf<CreatedWebhook>().toEqualTypeOf<Opened<Core.CreatedWebhook>>();
    expectTypeOf<RotatedSecret>().toEqualTypeOf<Readonly<Core.RotatedSecret>>();
    expectTypeOf<WebhookDelivery>().toEqualTypeOf<Opened<Core.WebhookDelivery>>();
    expectTypeOf<Given<WebhookInput>>().toEqualTypeOf<Given<Opened<Core.WebhookInput>>>();
    expectTypeOf<Given<WebhookPatch>>().toEqualTypeOf<Given<Opened<Core.WebhookPatch>>>();
    expectTypeOf<DownloadLink>().toEqualTypeOf<Readonly<Core.DownloadLink>>();
    expectTypeOf<Given<DownloadLinkInput>>().toEqualTypeOf<Given<Opened<Core.DownloadLinkInput>>>();
    expectTypeOf<ProgressEvent>().toEqualTypeOf<Opened<Core.ProgressEvent>>();
    expectTypeOf<Given<ReportStart>>().toEqualTypeOf<Given<Opened<Core.ReportStart>>>();
    expectTypeOf<Given<Omit<ProxyInput, ServerFields>>>().toEqualTypeOf<Given<Opened<Core.ProxyInput>>>();
    expectTypeOf<Given<Omit<DomainInput, ServerFields>>>().toEqualTypeOf<Given<Opened<Core.DomainInput>>>();
    // What was read can be written back.
    expectTypeOf<Proxy>().toExtend<ProxyInput>();
    expectTypeOf<Domain>().toExtend<DomainInput>();
  });

  test.each([
    ["reports", reportNames, reportFilters],
    ["schedules", scheduleNames, scheduleFilters],
    ["times of a schedule", fireNames, scheduleFireFilters],
    ["webhooks", webhookNames, webhookFilters],
    ["deliveries of a webhook", deliveryNames, deliveryFilters],
    ["proxies", proxyNames, proxiesCollection.filters],
    ["domains of a proxy", domainNames, domainsCollection.filters],
    ["domains", servedNames, domainsCollection.acrossParents!.filters],
  ])("%s are listed by every filter that there is", (_, names, filters) => {
    const given = filters.map(({ name }) => name);
    expect(Object.keys(names).toSorted()).toEqual([...given, "sort", "limit", "count", "timezone"].toSorted());
  });
});
