import { invalidInputError, type Clock } from "@reports/core/base";
import { findTimingIssues, computeNextRunTime, scheduleRecord, type ScheduleTimingRules } from "@reports/core/schedule";
import { z } from "zod";
import { defineEndpoint, replyJson, describeJson, describeProblems, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import { createNextRunsComputer } from "./compute-next-runs.ts";

const scheduleTimeSchema = z
  .strictObject({ at: z.iso.datetime().meta({ description: "A time at which the schedule would run." }) })
  .meta({ id: "ScheduleTime", description: "A time at which a schedule would run." });

export function listScheduleTimesEndpoint(deps: ScheduleTimingRules & { readonly now: Clock }): Endpoint {
  const { cron, timezone, startsAt, endsAt } = scheduleRecord.fields;
  const nextRuns = createNextRunsComputer(deps.calendar);
  return defineEndpoint({
    method: "GET",
    path: "/v1/schedule-times",
    operationId: "listScheduleTimes",
    summary: "Lists the next five times of a schedule that does not exist yet",
    description: "By the same rules as a schedule that is created now. Nothing is stored.",
    tag: openApiTags.schedules,
    access: { kind: "authenticated" },
    query: z.object({
      cron: cron.given,
      timezone: timezone.given.optional(),
      startsAt: startsAt.given.unwrap().optional(),
      endsAt: endsAt.given.unwrap().optional(),
    }),
    responses: {
      200: describeJson("The times.", z.array(scheduleTimeSchema)),
      ...describeProblems({
        400: "A parameter is missing, unknown or wrong, or the schedule would never run, or too often.",
      }),
    },
    async handle({ query }) {
      const timing = {
        cron: query.cron,
        timezone: query.timezone ?? "UTC",
        startsAt: query.startsAt ?? null,
        endsAt: query.endsAt ?? null,
      };
      const now = deps.now();
      const issues = findTimingIssues(deps, timing, now).map(({ pointer = "", code, message }) => ({
        parameter: pointer.slice(1),
        code,
        message,
      }));
      if (issues.length > 0)
        throw invalidInputError("bad-request", "invalid-parameters", "The query is not valid", issues);
      const nextFireAt = computeNextRunTime(deps.calendar, timing, now);
      const times = await nextRuns({ ...timing, nextFireAt });
      return replyJson(times.map((at) => ({ at: at.toISOString() })));
    },
  });
}
