import type { Authorities, Principal, ReportAccess } from "@reports/auth";
import {
  changeSchedule,
  createSchedule,
  removeSchedule,
  scheduleFilters,
  scheduleGone,
  scheduleNotFound,
  type ChangeScheduleDeps,
  type Schedule,
} from "@reports/core/schedule";
import { mergePatchTypes, type Clock, type IdMaker } from "@reports/core/base";
import { newestFirst } from "@reports/core/record";
import { reportScheduleSchema, type ReportSchedule } from "@reports/core/wire";
import type { AuditedReply } from "../endpoint/audited-action.ts";
import { defineEndpoint, problems } from "../endpoint/endpoint.ts";
import type { Endpoint, EndpointInput, Reply } from "../endpoint/endpoint.ts";
import { ownerScope, type OwnedRecords } from "../endpoint/owned-records.ts";
import { tags } from "../endpoint/tag.ts";
import type { QueryPair } from "../http/query.ts";
import {
  failedRead,
  failedWrite,
  isCurrent,
  readConditions,
  refuseMalformedConditions,
  refuseUnlessCurrent,
  writeConditions,
} from "../http/precondition.ts";
import type { ListSlots } from "../limits/list-slots.ts";
import { defineListQuery, listNamesOf } from "../resource/list-query.ts";
import { listReply, listResponse } from "../resource/list-reply.ts";
import { createNextFires, type NextFires } from "./next-fires.ts";
import { scheduleInputExample } from "./schedule-example.ts";
import { knowsReportsOf, scheduleResource, scheduleValidators } from "./schedule-resource.ts";
import { scheduleBodySchemas, type ScheduleBodySchemas } from "./schedule-schema.ts";

/** What the endpoints of schedules need. */
export interface SchedulesDeps extends ChangeScheduleDeps {
  readonly authorities: Authorities;
  readonly reportAccess: Pick<ReportAccess, "visibleTo">;
  readonly lists: ListSlots;
  readonly newId: IdMaker;
  readonly now: Clock;
  readonly basePath: string;
}

/** A request about one schedule. */
export type ScheduleRequest = EndpointInput<unknown> & { readonly record: Schedule };

type ShownSchedulesDeps = SchedulesDeps & { readonly nextFires: NextFires };

const path = "/v1/report-schedules";
const json = ["application/json"];
const recordHeaders = { ETag: "Changes with every change and every fire.", "Cache-Control": "private, no-cache" };
const changeProblems = {
  403: "The caller is the owner and lacks the authority of the report type.",
  ...failedWrite,
  422: "A field is missing, unknown or wrong, or the schedule would never fire, or too often.",
};
const view = { filters: scheduleFilters, sortable: ["createdAt", "name", "nextFireAt"], defaultSort: newestFirst };
const listQuery = defineListQuery(view, "ReportSchedules");

/** Schedules: made by whoever may start the report, seen and changed by their owners and administrators. docs/contract.md §10. */
export function reportSchedulesEndpoints(given: SchedulesDeps): readonly Endpoint[] {
  const bodies = scheduleBodySchemas(given.catalogue);
  const deps = { ...given, nextFires: createNextFires(given.calendar) };
  return [
    listEndpoint(deps),
    createEndpoint(deps, bodies),
    readEndpoint(deps),
    ...changeEndpoints(deps, bodies),
    removeEndpoint(deps),
  ];
}

/** Schedules as the framework loads them. */
export function ownedSchedules({ schedules }: Pick<SchedulesDeps, "schedules">): OwnedRecords<Schedule> {
  return {
    singular: "schedule",
    find: async (id) => schedules.find(id),
    notFound: scheduleNotFound,
    gone: scheduleGone,
    auditOf,
  };
}

function auditOf({ id, reportType, owner }: Schedule): AuditedReply {
  return { recordId: id, reportType, owner };
}

function listEndpoint(deps: ShownSchedulesDeps): Endpoint {
  return defineEndpoint({
    method: "GET",
    path,
    operationId: "listReportSchedules",
    summary: "Lists report schedules, newest first",
    description: "The caller's own; for holders of REPORTS_ADMIN everybody's. Link leads to the next page.",
    tag: tags.schedules,
    access: { kind: "authenticated" },
    query: listQuery.schema,
    list: listNamesOf(view),
    readQuery({ pairs, principal }) {
      const meant = pairs.map(([name, value]): QueryPair =>
        name === "owner" && value === "me" ? [name, principal.id] : [name, value],
      );
      return listQuery.read(path, meant, deps.now());
    },
    produces: json,
    responses: {
      200: listResponse(reportScheduleSchema, "The schedules."),
      ...problems({
        400: "A parameter is unknown, repeated or wrong, or the cursor belongs to another list.",
        503: "The list takes too long, or the database cannot be reached.",
      }),
    },
    async handle({ query: { scope, ...query }, principal, signal }) {
      const owner = ownerScope(principal);
      const page = await deps.lists.run(principal.id, signal, async () =>
        deps.schedules.list({ ...query, owner }, signal),
      );
      const items: ReportSchedule[] = [];
      for (const schedule of page.items) items.push(await shown(deps, principal, schedule));
      return listReply({ ...page, items }, { scope, basePath: deps.basePath }, (item) => item);
    },
  });
}

function createEndpoint(deps: ShownSchedulesDeps, bodies: ScheduleBodySchemas): Endpoint {
  return defineEndpoint({
    method: "POST",
    path,
    operationId: "createReportSchedule",
    summary: "Makes a schedule that starts reports by itself",
    description: "In the caller's name, who must hold the authority of the report type. A caller has at most 50.",
    tag: tags.schedules,
    access: { kind: "report-type", in: "body" },
    audit: { recordType: "schedule", verb: "create" },
    body: { mediaTypes: json, schema: bodies.whole, example: scheduleInputExample },
    produces: json,
    responses: {
      201: {
        kind: "json",
        description: "The new schedule.",
        schema: reportScheduleSchema,
        headers: { ...recordHeaders, Location: "The new schedule." },
      },
      ...problems({
        422: `${changeProblems[422].replace(/\.$/, "")}; or the caller has reached its limit of schedules.`,
      }),
    },
    async handle({ definition, body, principal }) {
      const owner = {
        principalId: principal.id,
        principalName: principal.displayName,
        requiredAuthority: deps.authorities.of(definition.type) ?? null,
      };
      const schedule = await createSchedule(deps, owner, definition, body);
      const location = { Location: `${deps.basePath}${path}/${schedule.id}` };
      const reply = await scheduleReply(201, schedule, { ...deps, principal }, location);
      return { ...reply, audit: auditOf(schedule) };
    },
  });
}

function readEndpoint(deps: ShownSchedulesDeps): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: `${path}/{id}`,
    operationId: "readReportSchedule",
    summary: "Reads one schedule, with its next five times",
    description: "For its owner and holders of REPORTS_ADMIN.",
    tag: tags.schedules,
    access: { kind: "record", of: ownedSchedules(deps) },
    headers: readConditions,
    produces: json,
    responses: {
      200: { kind: "json", description: "The schedule.", schema: reportScheduleSchema, headers: recordHeaders },
      304: { kind: "empty", description: "It has not changed.", headers: recordHeaders },
      ...problems(failedRead),
    },
    async handle(input) {
      const reply = await scheduleReply(200, input.record, { ...deps, ...input });
      const isKnown = isCurrent(input, scheduleValidators(input.record));
      return isKnown ? { ...reply, status: 304, body: { kind: "empty" } } : reply;
    },
  });
}

function changeEndpoints(deps: ShownSchedulesDeps, bodies: ScheduleBodySchemas): readonly Endpoint[] {
  const shared = {
    path: `${path}/{id}`,
    tag: tags.schedules,
    access: { kind: "record", of: ownedSchedules(deps) },
    headers: writeConditions,
    checkRequest: refuseMalformedConditions,
    produces: json,
    responses: {
      201: {
        kind: "json",
        description: "The schedule as it is now.",
        schema: reportScheduleSchema,
        headers: recordHeaders,
      },
      ...problems(changeProblems),
    },
  } as const;
  const change = async (method: "PUT" | "PATCH", input: ScheduleRequest): Promise<Reply> => {
    const { record: stored, body } = input;
    const changed = await changeSchedule(deps, actorOf(input), stored, { method, body });
    const verb = changed.status === stored.status ? {} : { verb: changed.status === "PAUSED" ? "pause" : "resume" };
    return { ...(await scheduleReply(201, changed, { ...deps, ...input })), audit: verb };
  };
  return [
    defineEndpoint({
      ...shared,
      method: "PUT",
      audit: { recordType: "schedule", verb: "replace" },
      operationId: "replaceReportSchedule",
      summary: "Replaces a schedule",
      description: "Fields that are left out go back to their defaults, but for the status. Its report type stays.",
      body: { mediaTypes: json, schema: bodies.whole, example: scheduleInputExample },
      handle: async (input) => change("PUT", input),
    }),
    defineEndpoint({
      ...shared,
      method: "PATCH",
      audit: { recordType: "schedule", verb: "patch" },
      operationId: "patchReportSchedule",
      summary: "Changes, pauses or resumes a schedule",
      description: 'A merge patch. {"status":"PAUSED"} pauses it and {"status":"ACTIVE"} resumes it.',
      body: { mediaTypes: mergePatchTypes, schema: bodies.patch, example: { status: "PAUSED" } },
      handle: async (input) => change("PATCH", input),
    }),
  ];
}

function removeEndpoint(deps: SchedulesDeps): Endpoint {
  return defineEndpoint({
    method: "DELETE",
    path: `${path}/{id}`,
    operationId: "deleteReportSchedule",
    summary: "Deletes a schedule; its reports stay",
    description: "Repeating it changes nothing and is answered in the same way.",
    tag: tags.schedules,
    access: { kind: "record", of: ownedSchedules(deps), takesDeleted: true },
    audit: { recordType: "schedule", verb: "delete" },
    headers: writeConditions,
    checkRequest: refuseMalformedConditions,
    produces: [],
    responses: {
      204: { kind: "empty", description: "It is deleted, now or already." },
      ...problems(failedWrite),
    },
    async handle(input) {
      await removeSchedule(deps, actorOf(input), input.record);
      return { status: 204, body: { kind: "empty" } };
    },
  });
}

function actorOf(input: EndpointInput<unknown>) {
  return {
    principalId: input.principal.id,
    principalName: input.principal.displayName,
    authorities: input.principal.authorities,
    precondition: (stored: Schedule) => refuseUnlessCurrent(input, scheduleValidators(stored)),
  };
}

async function shown(deps: ShownSchedulesDeps, principal: Principal, schedule: Schedule): Promise<ReportSchedule> {
  return scheduleResource(schedule, await deps.nextFires(schedule), knowsReportsOf(deps, principal, schedule));
}

async function scheduleReply(
  status: number,
  schedule: Schedule,
  to: ShownSchedulesDeps & { readonly principal: Principal },
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return {
    status,
    headers: { ETag: scheduleValidators(schedule).etag, "Cache-Control": "private, no-cache", ...headers },
    body: { kind: "json", value: await shown(to, to.principal, schedule) },
  };
}
