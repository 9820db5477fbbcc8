import { REPORTS_ADMIN, type Authorities, type Principal, type ReportAccess } from "@reports/auth";
import {
  changeSchedule,
  createSchedule,
  mergePatchTypes,
  newestFirst,
  removeSchedule,
  scheduleFilters,
  scheduleGone,
  scheduleNotFound,
  idField,
} from "@reports/core";
import type { ChangeScheduleDeps, Clock, IdMaker, Schedule } from "@reports/core";
import { reportScheduleSchema, type ReportSchedule } from "@reports/core/http";
import { isId } from "@reports/runtime";
import { z } from "zod";
import { defineEndpoint, problems } from "../endpoint/endpoint.ts";
import type { Endpoint, EndpointInput, Reply } from "../endpoint/endpoint.ts";
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

type ShownSchedulesDeps = SchedulesDeps & { readonly nextFires: NextFires };

const path = "/v1/report-schedules";
const json = ["application/json"];
export const scheduleParams = z.object({ id: idField("Id of the schedule.") });
const recordHeaders = { ETag: "Changes with every change and every fire.", "Cache-Control": "private, no-cache" };
export const scheduleProblems = {
  404: "There is no such schedule, or none that the caller may know of.",
  410: "The schedule was deleted.",
};
const changeProblems = {
  ...scheduleProblems,
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

/** The schedule that a path names; rejects with the one not-found where the caller may not know of it, and with gone where it was deleted. */
export async function findSchedule(
  { schedules }: Pick<SchedulesDeps, "schedules">,
  { params, principal }: Pick<EndpointInput<unknown>, "params" | "principal">,
  { takesDeleted = false } = {},
): Promise<Schedule> {
  const { id = "" } = params;
  const schedule = isId(id) ? await schedules.find(id) : null;
  if (schedule === null || !mayKnow(principal, schedule)) throw scheduleNotFound();
  if (schedule.deletedAt !== null && !takesDeleted) throw scheduleGone();
  return schedule;
}

function mayKnow(principal: Principal, { owner }: Pick<Schedule, "owner">): boolean {
  return owner === principal.id || principal.authorities.has(REPORTS_ADMIN);
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
    checksOwnQuery: true,
    produces: json,
    responses: {
      200: listResponse(reportScheduleSchema, "The schedules."),
      ...problems({
        400: "A parameter is unknown, repeated or wrong, or the cursor belongs to another list.",
        503: "The list takes too long, or the database cannot be reached.",
      }),
    },
    async handle({ pairs, principal, signal }) {
      const meant = pairs.map(([name, value]): QueryPair =>
        name === "owner" && value === "me" ? [name, principal.id] : [name, value],
      );
      const { scope, ...query } = listQuery.read(path, meant, deps.now());
      const owner = principal.authorities.has(REPORTS_ADMIN) ? null : principal.id;
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
      return scheduleReply(201, schedule, { ...deps, principal }, location);
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
    access: { kind: "schedule" },
    params: scheduleParams,
    headers: readConditions,
    produces: json,
    responses: {
      200: { kind: "json", description: "The schedule.", schema: reportScheduleSchema, headers: recordHeaders },
      304: { kind: "empty", description: "It has not changed.", headers: recordHeaders },
      ...problems({ ...scheduleProblems, ...failedRead }),
    },
    async handle(input) {
      const schedule = await findSchedule(deps, input);
      const reply = await scheduleReply(200, schedule, { ...deps, ...input });
      const isKnown = isCurrent(input, scheduleValidators(schedule));
      const { audit: _, ...unaudited } = reply;
      return isKnown ? { ...unaudited, status: 304, body: { kind: "empty" } } : unaudited;
    },
  });
}

function changeEndpoints(deps: ShownSchedulesDeps, bodies: ScheduleBodySchemas): readonly Endpoint[] {
  const shared = {
    path: `${path}/{id}`,
    tag: tags.schedules,
    access: { kind: "schedule" },
    params: scheduleParams,
    headers: writeConditions,
    checkHeaders: refuseMalformedConditions,
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
  const change = async (method: "PUT" | "PATCH", input: EndpointInput<unknown>): Promise<Reply> => {
    const stored = await findSchedule(deps, input);
    const changed = await changeSchedule(deps, actorOf(input), stored, { method, body: input.body });
    const verb = changed.status === stored.status ? {} : { verb: changed.status === "PAUSED" ? "pause" : "resume" };
    const reply = await scheduleReply(201, changed, { ...deps, ...input });
    return { ...reply, audit: { ...reply.audit, ...verb } };
  };
  return [
    defineEndpoint({
      ...shared,
      method: "PUT",
      audit: { recordType: "schedule", verb: "replace", idParam: "id" },
      operationId: "replaceReportSchedule",
      summary: "Replaces a schedule",
      description: "Fields that are left out go back to their defaults, but for the status. Its report type stays.",
      body: { mediaTypes: json, schema: bodies.whole, example: scheduleInputExample },
      handle: async (input) => change("PUT", input),
    }),
    defineEndpoint({
      ...shared,
      method: "PATCH",
      audit: { recordType: "schedule", verb: "patch", idParam: "id" },
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
    access: { kind: "schedule" },
    audit: { recordType: "schedule", verb: "delete", idParam: "id" },
    params: scheduleParams,
    headers: writeConditions,
    checkHeaders: refuseMalformedConditions,
    produces: [],
    responses: {
      204: { kind: "empty", description: "It is deleted, now or already." },
      ...problems({ 404: scheduleProblems[404], ...failedWrite }),
    },
    async handle(input) {
      const schedule = await findSchedule(deps, input, { takesDeleted: true });
      await removeSchedule(deps, actorOf(input), schedule);
      const { id, reportType, owner } = schedule;
      return { status: 204, body: { kind: "empty" }, audit: { recordId: id, reportType, owner } };
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
    audit: { recordId: schedule.id, reportType: schedule.reportType, owner: schedule.owner },
  };
}
