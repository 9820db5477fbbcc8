import { reportLanes, type ReportLane } from "@reports/core/base";
import { runReportTaskName, runReportWithRowsTaskName } from "@reports/core/report";
import { uuidPattern } from "@reports/core/query";
import {
  requireQueueSchemaName,
  laneSchemaName,
  wrongQueueSchemaSqlState,
  queueSchemaSetting,
} from "./queue-schema.ts";

/** Increase it with every change of a queue object, so that `migrate` of an older release does not restore the old one. Version 1 wrote no number. */
export const queueObjectsVersion = 3;
export const queueVersionPattern = "-- Queue version (\\d+)";
export const queueFunctionNames = [
  "job_report_id",
  "enqueue_reports",
  "remove_report_jobs",
  "report_queue_schema",
  "report_queue_state",
  "report_types_served",
  "report_workers",
] as const;

const definerClause = "SECURITY DEFINER SET search_path = pg_catalog, pg_temp";
// A session may have planned the queries of a function while the tables were small. In spite of LIMIT, sequential and bitmap scans would read all
// rows later.
const byIndexClause = "SET enable_seqscan = off SET enable_bitmapscan = off";
// `abs` also excludes a heartbeat far in the future, which was written before an operator set Postgres's clock back.
const isAliveCondition = `abs(extract(epoch from clock_timestamp() - worker.beat_at)) * 1000 <= "dead_after_ms"`;
const revokeFromPublic = (signature: string): string => `REVOKE ALL ON FUNCTION public.${signature} FROM PUBLIC;`;

/** The metric of the longest wait checks at most this many of the oldest due jobs, to find one whose report is still queued. */
const maxOldestJobs = 100;

/** Lowest priority of a job. Each of a caller's first 1,000 unfinished reports has its own priority, and all later ones share this priority. */
const maxPriority = 1_000;

const jobReportIdFunction = `
CREATE OR REPLACE FUNCTION public.job_report_id("payload" json) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN "payload" ->> 'reportId' ~ '${uuidPattern.source}' THEN ("payload" ->> 'reportId')::uuid END
$$;`;

/**
 * Returns the SQL that adds our objects to graphile-worker's schemas: indexes for the rescuer and metrics, a view for operators, and functions.
 * Database roles without rights on the tables use the queue through the functions. `migrate` runs the SQL each time, so running it again must change
 * nothing.
 */
export function queueObjectsSql(queueSchema: string): string {
  const objects = [
    lockOutVersion1,
    ...reportLanes.map((lane) => laneIndexes(laneSchemaName(queueSchema, lane))),
    jobsView(queueSchema),
    nameFunction(queueSchema),
    jobReportIdFunction,
    enqueueFunction(queueSchema),
    removeFunction(queueSchema),
    stateFunction(queueSchema),
    servedFunction,
    workersFunction,
  ].join("\n");
  return objects.replaceAll("AS $$", (start) => `${start} -- Queue version ${queueObjectsVersion}.\n`);
}

/**
 * Stops commands of releases with queue version 1, which would restore old functions. Their `database-roles` creates this schema temporarily and
 * fails if it exists. Their `migrate` fails at defaults of parameters that it doesn't know. So the defaults in enqueue_reports must stay.
 */
const lockOutVersion1 = `
CREATE SCHEMA IF NOT EXISTS reports_guards_trial;
COMMENT ON SCHEMA reports_guards_trial IS 'Empty. Stops the command database-roles of versions that are older than this database.';`;

function laneIndexes(schema: string): string {
  return `
CREATE INDEX IF NOT EXISTS reports_due_index ON ${schema}._private_jobs (run_at) WHERE is_available;
CREATE INDEX IF NOT EXISTS reports_held_index ON ${schema}._private_jobs (locked_at) WHERE locked_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS reports_spent_index ON ${schema}._private_jobs (id) WHERE locked_at IS NULL AND attempts >= max_attempts;`;
}

const servedFunction = `
CREATE OR REPLACE FUNCTION public.report_types_served("dead_after_ms" double precision) RETURNS TABLE ("types" jsonb)
LANGUAGE sql STABLE ${definerClause} AS $$
	SELECT DISTINCT worker.served_types FROM public.worker_heartbeats AS worker
	WHERE worker.stopping_at IS NULL AND ${isAliveCondition}
$$;
${revokeFromPublic("report_types_served(double precision)")}`;

/** The API calls this function, because its role can't read worker_heartbeats. */
const workersFunction = `
CREATE OR REPLACE FUNCTION public.report_workers("dead_after_ms" double precision)
RETURNS TABLE ("id" text, "host" text, "version" text, "lanes" text[], "types" jsonb, "running" bigint, "started_at" timestamptz, "beat_at" timestamptz)
LANGUAGE sql STABLE ${definerClause} AS $$
	SELECT worker.worker_id, worker.host, worker.version, worker.lanes, worker.served_types,
		(SELECT count(*) FROM public.reports AS report WHERE report.worker_id = worker.worker_id AND report.status = 'RUNNING'),
		worker.started_at, worker.beat_at
	FROM public.worker_heartbeats AS worker
	WHERE ${isAliveCondition}
	ORDER BY worker.started_at, worker.worker_id LIMIT 1000
$$;
${revokeFromPublic("report_workers(double precision)")}`;

function jobsView(queueSchema: string): string {
  const columns =
    "id, key, payload, priority, run_at, attempts, max_attempts, locked_at, locked_by, last_error, created_at";
  const parts = reportLanes.map(
    (lane) => `SELECT '${lane}'::text AS lane, ${columns} FROM ${laneSchemaName(queueSchema, lane)}._private_jobs`,
  );
  const schema = requireQueueSchemaName(queueSchema);
  return `
CREATE SCHEMA IF NOT EXISTS ${schema};
CREATE OR REPLACE VIEW ${schema}.jobs AS ${parts.join(" UNION ALL ")};`;
}

function nameFunction(queueSchema: string): string {
  return `
CREATE OR REPLACE FUNCTION public.report_queue_schema() RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT '${requireQueueSchemaName(queueSchema)}'::text $$;`;
}

/**
 * Adds one job per report. The report's row determines the lane, the trace context and the priority of its job. By priority, a caller's first report
 * comes before another caller's hundredth. A report whose worker died comes before all first attempts. The job key allows one job per report. Adding
 * a job again moves a waiting one. A locked job loses its key and its remaining attempts. Reports with row snapshots have a separate task, which
 * older workers ignore.
 */
function enqueueFunction(queueSchema: string): string {
  const others = (lane: ReportLane): string =>
    reportLanes
      .filter((other) => other !== lane)
      .map((other) => `PERFORM ${laneSchemaName(queueSchema, other)}.remove_job('report:' || moved.id) ${from(lane)};`)
      .join("\n\t\t\t\t");
  const from = (lane: ReportLane): string =>
    `FROM public.reports AS moved WHERE moved.id = ANY ("ids") AND moved.lane = '${lane}'`;
  const branch = (lane: ReportLane): string => `
		IF batch.lane = '${lane}' THEN
			IF batch.is_old THEN
				${others(lane)}
			END IF;
			-- A plan for any jobs that was made while the queue was small reads the index of all of them for the keys of a few.
			PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
			-- What a caller has open is counted once for all that they started in one transaction.
			PERFORM ${laneSchemaName(queueSchema, lane)}.add_jobs(jobs.specs)
			FROM (
				WITH earlier AS MATERIALIZED (
					SELECT started.requested_by, started.created_at, (SELECT count(*) FROM (
						SELECT FROM public.reports AS open
						WHERE open.requested_by = started.requested_by AND open.status IN ('QUEUED', 'RUNNING') AND open.created_at < started.created_at
						ORDER BY open.created_at LIMIT ${maxPriority}
					) AS counted) AS reports
					FROM (SELECT DISTINCT requested_by, created_at FROM public.reports WHERE id = ANY ("ids")) AS started
				)
				SELECT array_agg(ROW(
					CASE WHEN report.file_of IS NULL AND (report.options ->> 'keepRows') IS DISTINCT FROM 'true' THEN '${runReportTaskName}' ELSE '${runReportWithRowsTaskName}' END,
					json_strip_nulls(json_build_object('reportId', report.id, 'traceparent', report.traceparent)),
					NULL,
					now() + make_interval(secs => ("min_delay_ms" + random() * ("max_delay_ms" - "min_delay_ms")) / 1000),
					NULL,
					'report:' || report.id,
					CASE WHEN report.losses > 0 THEN -1 ELSE least(earlier.reports + report.place, ${maxPriority}) END,
					NULL
				)::${laneSchemaName(queueSchema, lane)}.job_spec) FILTER (WHERE report.lane = '${lane}' AND report.status = 'QUEUED' AND report.deleted_at IS NULL) AS specs
				FROM (
					SELECT asked.*, row_number() OVER (PARTITION BY asked.requested_by, asked.created_at ORDER BY asked.id) - 1 AS place
					FROM public.reports AS asked WHERE asked.id = ANY ("ids")
				) AS report
				JOIN earlier USING (requested_by, created_at)
			) AS jobs
			WHERE jobs.specs IS NOT NULL;
			PERFORM set_config('plan_cache_mode', 'auto', true);
		END IF;`;
  return `
CREATE OR REPLACE FUNCTION public.enqueue_reports("ids" uuid[], "min_delay_ms" double precision DEFAULT 0, "max_delay_ms" double precision DEFAULT 0) RETURNS void
LANGUAGE plpgsql ${definerClause} ${byIndexClause} SET plan_cache_mode = auto AS $$
DECLARE
	batch record;
	wanted text := current_setting('${queueSchemaSetting}', true);
BEGIN
	IF nullif(wanted, '') <> '${requireQueueSchemaName(queueSchema)}' THEN
		RAISE EXCEPTION 'The database''s queue is in ${requireQueueSchemaName(queueSchema)}, but QUEUE_SCHEMA of this process is %', wanted USING ERRCODE = '${wrongQueueSchemaSqlState}';
	END IF;
	-- What is new in this very transaction can have no job in another lane.
	FOR batch IN
		SELECT report.lane AS lane, bool_or(report.created_at <> now()::timestamp(3) with time zone) AS is_old
		FROM public.reports AS report WHERE report.id = ANY ("ids") GROUP BY report.lane
	LOOP${reportLanes.map(branch).join("")}
	END LOOP;
END $$;
${revokeFromPublic("enqueue_reports(uuid[], double precision, double precision)")}`;
}

/** Removes waiting jobs of ended or deleted reports only. So a role that may call it can't stop a report that still has to run. */
function removeFunction(queueSchema: string): string {
  const removals = reportLanes.map(
    (lane) => `
	DELETE FROM ${laneSchemaName(queueSchema, lane)}._private_jobs AS job USING public.reports AS report
	WHERE report.id = ANY ("ids") AND report.lane = '${lane}' AND (report.status NOT IN ('QUEUED', 'RUNNING') OR report.deleted_at IS NOT NULL)
		AND job.key = 'report:' || report.id AND job.locked_at IS NULL;`,
  );
  return `
CREATE OR REPLACE FUNCTION public.remove_report_jobs("ids" uuid[]) RETURNS void LANGUAGE plpgsql ${definerClause} ${byIndexClause} AS $$
BEGIN${removals.join("")}
END $$;
${revokeFromPublic("remove_report_jobs(uuid[])")}`;
}

/** Counts up to `count_at_most` jobs per lane. `waiting` is the lower of due jobs and queued reports, because a due job's report may have ended. */
function stateFunction(queueSchema: string): string {
  const state = (lane: ReportLane): string => {
    const jobs = `${laneSchemaName(queueSchema, lane)}._private_jobs AS job`;
    const due = "job.is_available AND job.run_at <= now()";
    return `
	RETURN QUERY SELECT '${lane}'::text,
		least(
			(SELECT count(*) FROM (SELECT FROM ${jobs} WHERE ${due} LIMIT "count_at_most") AS due),
			(SELECT count(*) FROM (
				SELECT FROM public.reports AS report WHERE report.status = 'QUEUED' AND report.deleted_at IS NULL AND report.lane = '${lane}'
				ORDER BY report.created_at, report.id LIMIT "count_at_most"
			) AS queued)
		),
		(SELECT count(*) FROM (SELECT FROM ${jobs} WHERE job.locked_at IS NOT NULL LIMIT "count_at_most") AS held),
		(
			SELECT (extract(epoch from now() - oldest.run_at) * 1000)::bigint
			FROM (SELECT job.run_at, public.job_report_id(job.payload) AS report_id FROM ${jobs} WHERE ${due} ORDER BY job.run_at LIMIT ${maxOldestJobs}) AS oldest
			-- One by one: a join might begin with all reports that wait.
			WHERE (SELECT report.status = 'QUEUED' AND report.deleted_at IS NULL FROM public.reports AS report WHERE report.id = oldest.report_id)
			ORDER BY oldest.run_at LIMIT 1
		),
		(
			SELECT count(*) FROM public.worker_heartbeats AS worker
			WHERE '${lane}' = ANY (worker.lanes) AND worker.stopping_at IS NULL
				AND ${isAliveCondition}
		);`;
  };
  return `
CREATE OR REPLACE FUNCTION public.report_queue_state("count_at_most" integer, "dead_after_ms" double precision)
RETURNS TABLE ("lane" text, "waiting" bigint, "running" bigint, "oldest_wait_ms" bigint, "workers" bigint)
LANGUAGE plpgsql STABLE ${definerClause} ${byIndexClause} SET enable_sort = off AS $$
BEGIN${reportLanes.map(state).join("")}
END $$;
${revokeFromPublic("report_queue_state(integer, double precision)")}`;
}
