import type { TortureStand } from "../stand/torture-stand.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";
import { readJobs, type SeenJob } from "./database-state.ts";

export interface SentStart {
  readonly subject: string;
  /** Different for each start. Repetitions of a start with its idempotency key have the same title. */
  readonly title: string;
  /** 0: there was no response, or one after which the report may exist. */
  readonly status: number;
  /** The report's ID in a response with 202. */
  readonly id: string | null;
}

export interface WrittenReport {
  readonly id: string;
  readonly title: string;
}

/** Reads the reports and jobs of the database, and compares them with the responses to all starts. Expects that no report has ended. */
export async function checkCrowdedStarts(
  stand: TortureStand,
  sent: readonly SentStart[],
  limit: number,
): Promise<readonly InvariantResult[]> {
  const written = await stand.retryingSql<WrittenReport[]>`select id, title from reports`;
  return findCrowdedStartViolations({ sent, written, jobs: await readJobs(stand), limit });
}

export function findCrowdedStartViolations({
  sent,
  written,
  jobs,
  limit,
}: {
  readonly sent: readonly SentStart[];
  readonly written: readonly WrittenReport[];
  readonly jobs: readonly Pick<SeenJob, "reportId">[];
  /** Number of unfinished reports that each caller may have. */
  readonly limit: number;
}): readonly InvariantResult[] {
  const byTitle = Map.groupBy(sent, ({ title }) => title);
  const reportsOf = Map.groupBy(written, ({ title }) => title);
  const titlesOf = Map.groupBy(byTitle.keys(), (title) => byTitle.get(title)![0]!.subject);
  const counts = [...titlesOf].map(([subject, titles]) => ({
    subject,
    count: titles.reduce((sum, title) => sum + (reportsOf.get(title)?.length ?? 0), 0),
  }));
  const starts = [...byTitle].map(([title, responses]) => ({
    title,
    statuses: responses.map(({ status }) => status),
    acknowledged: new Set(responses.flatMap(({ id }) => id ?? [])),
    reports: (reportsOf.get(title) ?? []).map(({ id }) => id),
  }));
  const jobsOf = Map.groupBy(jobs, ({ reportId }) => reportId);
  const accepted = starts.filter(({ acknowledged }) => acknowledged.size > 0);
  const refused = starts.filter(({ statuses }) => statuses.every((status) => ![0, 202, 500].includes(status)));
  return [
    createInvariantResult(
      "E1",
      `each caller has ${limit} reports, exactly as many as its limit allows`,
      `${counts.length} callers`,
      counts.filter(({ count }) => count !== limit).map(({ subject, count }) => [null, `${subject} has ${count}`]),
    ),
    createInvariantResult(
      "E2",
      "no start exists that got only refusals",
      `${refused.length} refused starts`,
      refused
        .filter(({ reports }) => reports.length > 0)
        .map(({ title, statuses, reports }) => [reports[0]!, `(${title}) got ${statuses.join(", ")}`]),
    ),
    createInvariantResult(
      "E3",
      "each acknowledged start is one report, also if it was sent twice with its idempotency key",
      `${accepted.length} acknowledged starts`,
      [
        ...accepted
          .filter(
            ({ acknowledged, reports }) => reports.length !== 1 || [...acknowledged].some((id) => id !== reports[0]),
          )
          .map(({ title, acknowledged, reports }): readonly [null, string] => [
            null,
            `${title}: the responses name ${[...acknowledged].join(", ")}; ${reports.length} reports: ${reports.join(", ")}`,
          ]),
        ...starts
          .filter(({ acknowledged, reports }) => acknowledged.size === 0 && reports.length > 1)
          .map(({ title, reports }): readonly [null, string] => [null, `${title} is ${reports.length} reports`]),
      ],
    ),
    createInvariantResult(
      "E4",
      "each report has one job, and each job a report",
      `${written.length} reports, ${jobs.length} jobs`,
      [
        ...written
          .filter(({ id }) => jobsOf.get(id)?.length !== 1)
          .map(({ id }): readonly [string, string] => [id, `has ${jobsOf.get(id)?.length ?? 0}`]),
        ...[...jobsOf.keys()]
          .filter((id) => !written.some((report) => report.id === id))
          .map((id): readonly [string | null, string] => [id, "has a job and does not exist"]),
      ],
    ),
    createInvariantResult(
      "E5",
      "each start gets 202, 429, 503 or no response",
      `${sent.length} starts sent`,
      sent
        .filter(({ status }) => ![0, 202, 429, 503].includes(status))
        .map(({ title, status }) => [null, `${title} got ${status}`]),
    ),
  ];
}
