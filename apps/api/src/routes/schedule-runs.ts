import type { Principal } from "@reports/auth";
import { DomainError } from "@reports/core/base";
import {
  authorityMissingError,
  ownerNotSeenError,
  readScheduledStart,
  scheduleRunFilters,
  type Schedule,
  type ScheduleRun,
} from "@reports/core/schedule";
import { recordNotFoundError } from "@reports/core/record";
import { startReport, type Report, type ReportTypeDefinition } from "@reports/core/report";
import { idField } from "@reports/core/query";
import { scheduleFireSchema, type ReportScheduleFire } from "@reports/core/wire";
import { isUuidV7 } from "@reports/runtime";
import { z } from "zod";
import {
  defineEndpoint,
  replyJson,
  describeJson,
  describeProblems,
  noStore,
  type Endpoint,
  type Reply,
} from "../endpoint/endpoint.ts";
import { assertEmptyBody } from "../endpoint/assert-empty-body.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import {
  idempotencyKeyHeader,
  readIdempotencyKey,
  idempotencyReplayedHeader,
} from "../idempotency/read-idempotency-key.ts";
import { defineListQuery } from "../resource/list-query-parser.ts";
import { createListReply, describeList } from "../resource/create-list-reply.ts";
import { defineScheduleRecordKind, type ScheduleHandlerInput, type SchedulesDeps } from "./report-schedules.ts";
import { toRunResource, maySeeReportsOfSchedule } from "./to-schedule-resource.ts";
import { replyToStart, type StartRouteDeps } from "./create-start-reply.ts";

export interface ScheduleRunsDeps extends SchedulesDeps, StartRouteDeps {
  /** Number of days for which an owner with an external account counts as still holding the authority after the owner's last request. */
  readonly confirmDays: number;
}

const path = "/v1/report-schedules/{id}/fires";
const jsonMediaTypes = ["application/json"];
const listView = {
  filters: scheduleRunFilters,
  sortable: ["scheduledFor"],
  defaultSort: [{ key: "scheduledFor", descending: true }],
};
const listQuery = defineListQuery(listView, "ReportScheduleFires");

export function scheduleRunsEndpoints(deps: ScheduleRunsDeps): readonly Endpoint[] {
  return [listRunsEndpoint(deps), readRunEndpoint(deps), runNowEndpoint(deps)];
}

function listRunsEndpoint(deps: ScheduleRunsDeps): Endpoint {
  return defineEndpoint({
    ...describeList(listView, listQuery, scheduleFireSchema, "The runs."),
    path,
    operationId: "listReportScheduleFires",
    summary: "Lists the runs of a schedule, newest first",
    description: "Runs are kept as long as records. Link leads to the next page.",
    tag: openApiTags.schedules,
    access: { kind: "record", of: defineScheduleRecordKind(deps) },
    readQuery: ({ pairs, params: { id = "" } }) => listQuery.read(path.replace("{id}", id), pairs, deps.now()),
    async handle(input) {
      const { record: schedule, principal, signal } = input;
      const { scope, ...query } = input.query;
      const page = await deps.lists.run(principal.id, signal, async () =>
        deps.schedules.listRuns({ ...query, scheduleId: schedule.id }, signal),
      );
      const maySeeReport = maySeeReportsOfSchedule(deps, principal, schedule);
      return createListReply(page, { scope, basePath: deps.basePath }, (each) => toRunResource(each, maySeeReport));
    },
  });
}

function readRunEndpoint(deps: ScheduleRunsDeps): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: `${path}/{fireId}`,
    operationId: "readReportScheduleFire",
    summary: "Reads one run of a schedule",
    description: "For the schedule's owner and holders of REPORTS_ADMIN.",
    tag: openApiTags.schedules,
    access: { kind: "record", of: defineScheduleRecordKind(deps) },
    params: z.object({ fireId: idField("ID of the run.") }),
    responses: {
      200: describeJson("The run.", scheduleFireSchema),
      ...describeProblems({ 404: "There is no such schedule or fire, or the caller may not see it." }),
    },
    async handle({ record: schedule, principal, params: { fireId = "" } }) {
      const found = isUuidV7(fireId) ? await deps.schedules.findRun(schedule.id, fireId) : null;
      if (found === null) throw recordNotFoundError("fire");
      return replyJson(toRunResource(found, maySeeReportsOfSchedule(deps, principal, schedule)));
    },
  });
}

function runNowEndpoint(deps: ScheduleRunsDeps): Endpoint {
  return defineEndpoint({
    method: "POST",
    path,
    operationId: "runReportSchedule",
    summary: "Runs a schedule now",
    description:
      "Starts its report immediately, with the owner's rights. It counts as a start of the caller. A paused schedule can be run, too; an ended one cannot.",
    tag: openApiTags.schedules,
    access: { kind: "record", of: defineScheduleRecordKind(deps) },
    audit: { recordType: "schedule", verb: "run" },
    headers: idempotencyKeyHeader,
    checkRequest: ({ body }) => assertEmptyBody(body),
    body: {
      mediaTypes: jsonMediaTypes,
      schema: z.strictObject({}).meta({ id: "ReportScheduleRun" }),
      example: {},
      isOptional: true,
    },
    responses: {
      201: describeJson("The run.", scheduleFireSchema, {
        ...noStore,
        Location: "The run.",
        ...idempotencyReplayedHeader,
      }),
      ...describeProblems({
        403: "The owner lacks the authority of the report type, or has not been seen with it for too long.",
        422: "The body has fields, the schedule has ended, its type does not take its filters any more, or the Idempotency-Key was used for another request.",
        503: "The database cannot be reached. Nothing was started, unless the code is outcome-unknown.",
      }),
    },
    handle: async (input) => runNow(deps, input),
  });
}

async function runNow(deps: ScheduleRunsDeps, input: ScheduleHandlerInput): Promise<Reply> {
  const { principal, record: schedule } = input;
  if (schedule.status === "ENDED") {
    const message = "The schedule has ended. Give it a later endsAt, or start the report itself.";
    throw new DomainError("invalid", "schedule-ended", message, { issues: [{ code: "ended", message }] });
  }
  const ownership = await checkOwnership(deps, principal, schedule);
  if (ownership === "lost") throw authorityMissingError(schedule);
  if (ownership === "not-seen") throw ownerNotSeenError(schedule, deps.confirmDays);
  const start = readScheduledStart(findDefinition(deps, schedule), schedule, deps.now());
  const fireId = deps.newId();
  const replyOf = (report: Report): Reply => runReply(toScheduleRun(schedule, fireId, report), deps.basePath);
  const started = await startReport(
    { ...deps, startLimits: deps.findStartLimits(principal) },
    {
      principalId: principal.id,
      requiredAuthority: schedule.requiredAuthority,
      coalesce: false,
      traceparent: input.traceparent,
      requestId: input.requestId,
      scheduleRun: { id: fireId, scheduleId: schedule.id, owner: schedule.owner, ownerName: schedule.ownerName },
      once: readIdempotencyKey(input.header("idempotency-key"), "runReportSchedule", replyOf),
    },
    start,
  );
  const whole = replyToStart(replyOf(started.report), started);
  return maySeeReportsOfSchedule(deps, principal, schedule) ? whole : removeReportId(whole);
}

/**
 * Returns `holds` if the owner has the authority that the schedule requires, `lost` if not, and `not-seen` if the owner was unseen for too long.
 * If the owner sends the request, the current credentials decide. Otherwise the rule for scheduled runs does.
 */
async function checkOwnership(deps: ScheduleRunsDeps, principal: Principal, schedule: Schedule) {
  const { id, owner, requiredAuthority } = schedule;
  if (requiredAuthority === null) return "holds";
  if (owner === principal.id) return principal.authorities.has(requiredAuthority) ? "holds" : "lost";
  return deps.schedules.ownership(id, deps.confirmDays);
}

function toScheduleRun(schedule: Schedule, id: string, { id: reportId, createdAt }: Report): ScheduleRun {
  const times = { scheduledFor: createdAt, firedAt: createdAt };
  return { id, scheduleId: schedule.id, ...times, outcome: "STARTED", because: null, reportId, count: 1 };
}

function runReply(scheduleRun: ScheduleRun, basePath: string): Reply {
  return replyJson(toRunResource(scheduleRun, true), 201, {
    ...noStore,
    Location: `${basePath}${path.replace("{id}", scheduleRun.scheduleId)}/${scheduleRun.id}`,
  });
}

/** Removes the report's ID from a reply. A replayed reply may contain an ID that the caller may no longer see. */
function removeReportId(reply: Reply): Reply {
  if (reply.body.kind !== "json") return reply;
  return { ...reply, body: { kind: "json", value: { ...(reply.body.value as ReportScheduleFire), reportId: null } } };
}

function findDefinition({ catalogue }: ScheduleRunsDeps, { reportType }: Schedule): ReportTypeDefinition {
  const definition = catalogue.find(reportType);
  if (definition !== undefined) return definition;
  const message = "The report type of the schedule is no longer known.";
  throw new DomainError("invalid", "invalid-report-type", message, {
    issues: [{ code: "unknown_report_type", message }],
  });
}
