import type { AuthorityLookup, ReportAccess } from "@reports/auth";
import {
  changeSchedule,
  createSchedule,
  scheduleListFilters,
  scheduleGoneError,
  scheduleNotFoundError,
  type ChangeScheduleDeps,
  type Schedule,
} from "@reports/core/schedule";
import { newestFirstSort } from "@reports/core/record";
import type { Clock, IdMaker } from "@reports/core/base";
import { reportScheduleSchema } from "@reports/core/wire";
import type { Endpoint, HandlerInput } from "../endpoint/endpoint.ts";
import type { OwnedRecordKind } from "../endpoint/owned-record-kind.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import type { ListConcurrencyLimiter } from "../limits/list-concurrency-limiter.ts";
import type { OwnedUpdateOperation, OwnedCollection } from "../resource/owned-collection.ts";
import { ownedEndpoints } from "../resource/owned-endpoints.ts";
import { createNextRunsComputer } from "./compute-next-runs.ts";
import { scheduleInputExample } from "./schedule-example.ts";
import { maySeeReportsOfSchedule, toScheduleResource, toScheduleValidators } from "./to-schedule-resource.ts";
import { scheduleBodySchemas } from "./schedule-schema.ts";

export interface SchedulesDeps extends ChangeScheduleDeps {
  readonly authorities: AuthorityLookup;
  readonly reportAccess: Pick<ReportAccess, "visibleTo">;
  readonly lists: ListConcurrencyLimiter;
  readonly newId: IdMaker;
  readonly now: Clock;
  readonly basePath: string;
}

export type ScheduleHandlerInput = HandlerInput<unknown> & { readonly record: Schedule };

const bodyTypeAccess = { kind: "report-type", in: "body" } as const;
const invalidBodyText =
  "A field is missing, unknown or wrong, a filter has a new value that its data lacks, or the schedule would never fire, or too often";

export function reportSchedulesEndpoints(deps: SchedulesDeps): readonly Endpoint[] {
  return ownedEndpoints(deps, schedulesCollection(deps));
}

export function defineScheduleRecordKind({ schedules }: Pick<SchedulesDeps, "schedules">): OwnedRecordKind<Schedule> {
  return {
    singular: "schedule",
    find: async (id) => schedules.find(id),
    notFound: scheduleNotFoundError,
    gone: scheduleGoneError,
    auditOf: ({ reportType, owner }) => ({ reportType, owner }),
  };
}

function schedulesCollection(deps: SchedulesDeps): OwnedCollection<Schedule, typeof bodyTypeAccess> {
  const bodies = scheduleBodySchemas(deps.catalogue);
  const nextRuns = createNextRunsComputer(deps.calendar);
  return {
    name: "report-schedules",
    operation: "ReportSchedule",
    tag: openApiTags.schedules,
    records: defineScheduleRecordKind(deps),
    schema: reportScheduleSchema,
    view: { filters: scheduleListFilters, sortable: ["createdAt", "name", "nextFireAt"], defaultSort: newestFirstSort },
    etag: "Changes with every change and every fire.",
    toValidators: (schedule) => toScheduleValidators(schedule, deps.catalogue.find(schedule.reportType)),
    show: async (schedule, principal) =>
      toScheduleResource(schedule, await nextRuns(schedule), {
        definition: deps.catalogue.find(schedule.reportType),
        maySeeReport: maySeeReportsOfSchedule(deps, principal, schedule),
      }),
    list: {
      summary: "Lists report schedules, newest first",
      description: "The caller's own; for holders of REPORTS_ADMIN everybody's. Link leads to the next page.",
      page: async (query, signal) => deps.schedules.list(query, signal),
    },
    read: {
      summary: "Reads one schedule, with its next five times",
      description: "For its owner and holders of REPORTS_ADMIN.",
    },
    create: {
      summary: "Makes a schedule",
      description: "In the caller's name, who must hold the authority of the report type. A caller has at most 50.",
      access: bodyTypeAccess,
      body: { schema: bodies.whole, example: scheduleInputExample },
      invalid: `${invalidBodyText}; or the caller has reached its limit of schedules.`,
      async apply({ definition, body, principal }) {
        const owner = {
          principalId: principal.id,
          principalName: principal.displayName,
          requiredAuthority: deps.authorities.of(definition.type) ?? null,
        };
        return { record: await createSchedule(deps, owner, definition, body) };
      },
    },
    change: {
      answer: "The schedule as it is now.",
      forbidden: "The caller is the owner and lacks the authority of the report type.",
      invalid: `${invalidBodyText}.`,
    },
    replace: {
      summary: "Replaces a schedule",
      description: "Fields that are left out go back to their defaults, but for the status. Its report type stays.",
      body: { schema: bodies.whole, example: scheduleInputExample },
      apply: createScheduleChange(deps, "PUT"),
    },
    patch: {
      summary: "Changes, pauses or resumes a schedule",
      description: 'A merge patch. {"status":"PAUSED"} pauses it and {"status":"ACTIVE"} resumes it.',
      body: { schema: bodies.patch, example: { status: "PAUSED" } },
      apply: createScheduleChange(deps, "PATCH"),
    },
    remove: {
      summary: "Deletes a schedule; its reports stay",
      description: "Repeating it changes nothing and is answered in the same way.",
      apply: async ({ id }, precondition) => deps.schedules.remove(id, precondition),
    },
  };
}

function createScheduleChange(deps: SchedulesDeps, method: "PUT" | "PATCH"): OwnedUpdateOperation<Schedule>["apply"] {
  return async ({ record: stored, principal, body }, precondition) => {
    const { id: principalId, displayName: principalName, authorities } = principal;
    const actor = { principalId, principalName, authorities, precondition };
    const changed = await changeSchedule(deps, actor, stored, { method, body });
    if (changed.status === stored.status) return { record: changed };
    return { record: changed, audit: { verb: changed.status === "PAUSED" ? "pause" : "resume" } };
  };
}
