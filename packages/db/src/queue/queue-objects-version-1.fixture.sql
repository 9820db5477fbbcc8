
CREATE INDEX IF NOT EXISTS reports_due_index ON report_queue_quick._private_jobs (run_at) WHERE is_available;
CREATE INDEX IF NOT EXISTS reports_held_index ON report_queue_quick._private_jobs (locked_at) WHERE locked_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS reports_spent_index ON report_queue_quick._private_jobs (id) WHERE locked_at IS NULL AND attempts >= max_attempts;

CREATE INDEX IF NOT EXISTS reports_due_index ON report_queue_bulk._private_jobs (run_at) WHERE is_available;
CREATE INDEX IF NOT EXISTS reports_held_index ON report_queue_bulk._private_jobs (locked_at) WHERE locked_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS reports_spent_index ON report_queue_bulk._private_jobs (id) WHERE locked_at IS NULL AND attempts >= max_attempts;

CREATE INDEX IF NOT EXISTS reports_due_index ON report_queue_suspect._private_jobs (run_at) WHERE is_available;
CREATE INDEX IF NOT EXISTS reports_held_index ON report_queue_suspect._private_jobs (locked_at) WHERE locked_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS reports_spent_index ON report_queue_suspect._private_jobs (id) WHERE locked_at IS NULL AND attempts >= max_attempts;

CREATE SCHEMA IF NOT EXISTS report_queue;
CREATE OR REPLACE VIEW report_queue.jobs AS SELECT 'quick'::text AS lane, id, key, payload, priority, run_at, attempts, max_attempts, locked_at, locked_by, last_error, created_at FROM report_queue_quick._private_jobs UNION ALL SELECT 'bulk'::text AS lane, id, key, payload, priority, run_at, attempts, max_attempts, locked_at, locked_by, last_error, created_at FROM report_queue_bulk._private_jobs UNION ALL SELECT 'suspect'::text AS lane, id, key, payload, priority, run_at, attempts, max_attempts, locked_at, locked_by, last_error, created_at FROM report_queue_suspect._private_jobs;

CREATE OR REPLACE FUNCTION public.report_queue_schema() RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'report_queue'::text $$;

CREATE OR REPLACE FUNCTION public.job_report_id("payload" json) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN "payload" ->> 'reportId' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN ("payload" ->> 'reportId')::uuid END
$$;

CREATE OR REPLACE FUNCTION public.enqueue_reports("ids" uuid[], "min_delay_ms" double precision, "max_delay_ms" double precision) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = auto AS $$
DECLARE batch record;
BEGIN
	-- What is new in this very transaction can have no job in another lane.
	FOR batch IN
		SELECT report.lane AS lane, bool_or(report.created_at <> now()::timestamp(3) with time zone) AS is_old
		FROM public.reports AS report WHERE report.id = ANY ("ids") GROUP BY report.lane
	LOOP
		IF batch.lane = 'quick' THEN
			IF batch.is_old THEN
				PERFORM report_queue_bulk.remove_job('report:' || moved.id) FROM public.reports AS moved WHERE moved.id = ANY ("ids") AND moved.lane = 'quick';
				PERFORM report_queue_suspect.remove_job('report:' || moved.id) FROM public.reports AS moved WHERE moved.id = ANY ("ids") AND moved.lane = 'quick';
			END IF;
			-- A plan for any jobs that was made while the queue was small reads the index of all of them for the keys of a few.
			PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
			-- What a caller has open is counted once for all that they started in one transaction.
			PERFORM report_queue_quick.add_jobs(jobs.specs)
			FROM (
				WITH earlier AS MATERIALIZED (
					SELECT started.requested_by, started.created_at, (SELECT count(*) FROM (
						SELECT FROM public.reports AS open
						WHERE open.requested_by = started.requested_by AND open.status IN ('QUEUED', 'RUNNING') AND open.created_at < started.created_at
						ORDER BY open.created_at LIMIT 1000
					) AS counted) AS reports
					FROM (SELECT DISTINCT requested_by, created_at FROM public.reports WHERE id = ANY ("ids")) AS started
				)
				SELECT array_agg(ROW(
					CASE WHEN report.file_of IS NULL AND (report.options ->> 'keepRows') IS DISTINCT FROM 'true' THEN 'run_report' ELSE 'run_report_with_rows' END,
					json_strip_nulls(json_build_object('reportId', report.id, 'traceparent', report.traceparent)),
					NULL,
					now() + make_interval(secs => ("min_delay_ms" + random() * ("max_delay_ms" - "min_delay_ms")) / 1000),
					NULL,
					'report:' || report.id,
					CASE WHEN report.losses > 0 THEN -1 ELSE least(earlier.reports + report.place, 1000) END,
					NULL
				)::report_queue_quick.job_spec) FILTER (WHERE report.lane = 'quick' AND report.status = 'QUEUED' AND report.deleted_at IS NULL) AS specs
				FROM (
					SELECT asked.*, row_number() OVER (PARTITION BY asked.requested_by, asked.created_at ORDER BY asked.id) - 1 AS place
					FROM public.reports AS asked WHERE asked.id = ANY ("ids")
				) AS report
				JOIN earlier USING (requested_by, created_at)
			) AS jobs
			WHERE jobs.specs IS NOT NULL;
			PERFORM set_config('plan_cache_mode', 'auto', true);
		END IF;
		IF batch.lane = 'bulk' THEN
			IF batch.is_old THEN
				PERFORM report_queue_quick.remove_job('report:' || moved.id) FROM public.reports AS moved WHERE moved.id = ANY ("ids") AND moved.lane = 'bulk';
				PERFORM report_queue_suspect.remove_job('report:' || moved.id) FROM public.reports AS moved WHERE moved.id = ANY ("ids") AND moved.lane = 'bulk';
			END IF;
			-- A plan for any jobs that was made while the queue was small reads the index of all of them for the keys of a few.
			PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
			-- What a caller has open is counted once for all that they started in one transaction.
			PERFORM report_queue_bulk.add_jobs(jobs.specs)
			FROM (
				WITH earlier AS MATERIALIZED (
					SELECT started.requested_by, started.created_at, (SELECT count(*) FROM (
						SELECT FROM public.reports AS open
						WHERE open.requested_by = started.requested_by AND open.status IN ('QUEUED', 'RUNNING') AND open.created_at < started.created_at
						ORDER BY open.created_at LIMIT 1000
					) AS counted) AS reports
					FROM (SELECT DISTINCT requested_by, created_at FROM public.reports WHERE id = ANY ("ids")) AS started
				)
				SELECT array_agg(ROW(
					CASE WHEN report.file_of IS NULL AND (report.options ->> 'keepRows') IS DISTINCT FROM 'true' THEN 'run_report' ELSE 'run_report_with_rows' END,
					json_strip_nulls(json_build_object('reportId', report.id, 'traceparent', report.traceparent)),
					NULL,
					now() + make_interval(secs => ("min_delay_ms" + random() * ("max_delay_ms" - "min_delay_ms")) / 1000),
					NULL,
					'report:' || report.id,
					CASE WHEN report.losses > 0 THEN -1 ELSE least(earlier.reports + report.place, 1000) END,
					NULL
				)::report_queue_bulk.job_spec) FILTER (WHERE report.lane = 'bulk' AND report.status = 'QUEUED' AND report.deleted_at IS NULL) AS specs
				FROM (
					SELECT asked.*, row_number() OVER (PARTITION BY asked.requested_by, asked.created_at ORDER BY asked.id) - 1 AS place
					FROM public.reports AS asked WHERE asked.id = ANY ("ids")
				) AS report
				JOIN earlier USING (requested_by, created_at)
			) AS jobs
			WHERE jobs.specs IS NOT NULL;
			PERFORM set_config('plan_cache_mode', 'auto', true);
		END IF;
		IF batch.lane = 'suspect' THEN
			IF batch.is_old THEN
				PERFORM report_queue_quick.remove_job('report:' || moved.id) FROM public.reports AS moved WHERE moved.id = ANY ("ids") AND moved.lane = 'suspect';
				PERFORM report_queue_bulk.remove_job('report:' || moved.id) FROM public.reports AS moved WHERE moved.id = ANY ("ids") AND moved.lane = 'suspect';
			END IF;
			-- A plan for any jobs that was made while the queue was small reads the index of all of them for the keys of a few.
			PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
			-- What a caller has open is counted once for all that they started in one transaction.
			PERFORM report_queue_suspect.add_jobs(jobs.specs)
			FROM (
				WITH earlier AS MATERIALIZED (
					SELECT started.requested_by, started.created_at, (SELECT count(*) FROM (
						SELECT FROM public.reports AS open
						WHERE open.requested_by = started.requested_by AND open.status IN ('QUEUED', 'RUNNING') AND open.created_at < started.created_at
						ORDER BY open.created_at LIMIT 1000
					) AS counted) AS reports
					FROM (SELECT DISTINCT requested_by, created_at FROM public.reports WHERE id = ANY ("ids")) AS started
				)
				SELECT array_agg(ROW(
					CASE WHEN report.file_of IS NULL AND (report.options ->> 'keepRows') IS DISTINCT FROM 'true' THEN 'run_report' ELSE 'run_report_with_rows' END,
					json_strip_nulls(json_build_object('reportId', report.id, 'traceparent', report.traceparent)),
					NULL,
					now() + make_interval(secs => ("min_delay_ms" + random() * ("max_delay_ms" - "min_delay_ms")) / 1000),
					NULL,
					'report:' || report.id,
					CASE WHEN report.losses > 0 THEN -1 ELSE least(earlier.reports + report.place, 1000) END,
					NULL
				)::report_queue_suspect.job_spec) FILTER (WHERE report.lane = 'suspect' AND report.status = 'QUEUED' AND report.deleted_at IS NULL) AS specs
				FROM (
					SELECT asked.*, row_number() OVER (PARTITION BY asked.requested_by, asked.created_at ORDER BY asked.id) - 1 AS place
					FROM public.reports AS asked WHERE asked.id = ANY ("ids")
				) AS report
				JOIN earlier USING (requested_by, created_at)
			) AS jobs
			WHERE jobs.specs IS NOT NULL;
			PERFORM set_config('plan_cache_mode', 'auto', true);
		END IF;
	END LOOP;
END $$;
REVOKE ALL ON FUNCTION public.enqueue_reports(uuid[], double precision, double precision) FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.remove_report_jobs("ids" uuid[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
	DELETE FROM report_queue_quick._private_jobs AS job USING public.reports AS report
	WHERE report.id = ANY ("ids") AND report.lane = 'quick' AND (report.status NOT IN ('QUEUED', 'RUNNING') OR report.deleted_at IS NOT NULL)
		AND job.key = 'report:' || report.id AND job.locked_at IS NULL;
	DELETE FROM report_queue_bulk._private_jobs AS job USING public.reports AS report
	WHERE report.id = ANY ("ids") AND report.lane = 'bulk' AND (report.status NOT IN ('QUEUED', 'RUNNING') OR report.deleted_at IS NOT NULL)
		AND job.key = 'report:' || report.id AND job.locked_at IS NULL;
	DELETE FROM report_queue_suspect._private_jobs AS job USING public.reports AS report
	WHERE report.id = ANY ("ids") AND report.lane = 'suspect' AND (report.status NOT IN ('QUEUED', 'RUNNING') OR report.deleted_at IS NOT NULL)
		AND job.key = 'report:' || report.id AND job.locked_at IS NULL;
END $$;
REVOKE ALL ON FUNCTION public.remove_report_jobs(uuid[]) FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.report_queue_state("count_at_most" integer, "dead_after_ms" double precision)
RETURNS TABLE ("lane" text, "waiting" bigint, "running" bigint, "oldest_wait_ms" bigint, "workers" bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
BEGIN
	RETURN QUERY SELECT 'quick'::text,
		least(
			(SELECT count(*) FROM (SELECT FROM report_queue_quick._private_jobs AS job WHERE job.is_available AND job.run_at <= now() LIMIT "count_at_most") AS due),
			(SELECT count(*) FROM (
				SELECT FROM public.reports AS report WHERE report.status = 'QUEUED' AND report.deleted_at IS NULL AND report.lane = 'quick'
				ORDER BY report.created_at, report.id LIMIT "count_at_most"
			) AS queued)
		),
		(SELECT count(*) FROM (SELECT FROM report_queue_quick._private_jobs AS job WHERE job.locked_at IS NOT NULL LIMIT "count_at_most") AS held),
		(
			SELECT (extract(epoch from now() - oldest.run_at) * 1000)::bigint
			FROM (SELECT job.run_at, public.job_report_id(job.payload) AS report_id FROM report_queue_quick._private_jobs AS job WHERE job.is_available AND job.run_at <= now() ORDER BY job.run_at LIMIT 100) AS oldest
			-- One by one: a join might begin with all reports that wait.
			WHERE (SELECT report.status = 'QUEUED' AND report.deleted_at IS NULL FROM public.reports AS report WHERE report.id = oldest.report_id)
			ORDER BY oldest.run_at LIMIT 1
		),
		(
			SELECT count(*) FROM public.worker_heartbeats AS worker
			WHERE 'quick' = ANY (worker.lanes) AND worker.stopping_at IS NULL
				AND worker.beat_at > clock_timestamp() - make_interval(secs => "dead_after_ms" / 1000)
		);
	RETURN QUERY SELECT 'bulk'::text,
		least(
			(SELECT count(*) FROM (SELECT FROM report_queue_bulk._private_jobs AS job WHERE job.is_available AND job.run_at <= now() LIMIT "count_at_most") AS due),
			(SELECT count(*) FROM (
				SELECT FROM public.reports AS report WHERE report.status = 'QUEUED' AND report.deleted_at IS NULL AND report.lane = 'bulk'
				ORDER BY report.created_at, report.id LIMIT "count_at_most"
			) AS queued)
		),
		(SELECT count(*) FROM (SELECT FROM report_queue_bulk._private_jobs AS job WHERE job.locked_at IS NOT NULL LIMIT "count_at_most") AS held),
		(
			SELECT (extract(epoch from now() - oldest.run_at) * 1000)::bigint
			FROM (SELECT job.run_at, public.job_report_id(job.payload) AS report_id FROM report_queue_bulk._private_jobs AS job WHERE job.is_available AND job.run_at <= now() ORDER BY job.run_at LIMIT 100) AS oldest
			-- One by one: a join might begin with all reports that wait.
			WHERE (SELECT report.status = 'QUEUED' AND report.deleted_at IS NULL FROM public.reports AS report WHERE report.id = oldest.report_id)
			ORDER BY oldest.run_at LIMIT 1
		),
		(
			SELECT count(*) FROM public.worker_heartbeats AS worker
			WHERE 'bulk' = ANY (worker.lanes) AND worker.stopping_at IS NULL
				AND worker.beat_at > clock_timestamp() - make_interval(secs => "dead_after_ms" / 1000)
		);
	RETURN QUERY SELECT 'suspect'::text,
		least(
			(SELECT count(*) FROM (SELECT FROM report_queue_suspect._private_jobs AS job WHERE job.is_available AND job.run_at <= now() LIMIT "count_at_most") AS due),
			(SELECT count(*) FROM (
				SELECT FROM public.reports AS report WHERE report.status = 'QUEUED' AND report.deleted_at IS NULL AND report.lane = 'suspect'
				ORDER BY report.created_at, report.id LIMIT "count_at_most"
			) AS queued)
		),
		(SELECT count(*) FROM (SELECT FROM report_queue_suspect._private_jobs AS job WHERE job.locked_at IS NOT NULL LIMIT "count_at_most") AS held),
		(
			SELECT (extract(epoch from now() - oldest.run_at) * 1000)::bigint
			FROM (SELECT job.run_at, public.job_report_id(job.payload) AS report_id FROM report_queue_suspect._private_jobs AS job WHERE job.is_available AND job.run_at <= now() ORDER BY job.run_at LIMIT 100) AS oldest
			-- One by one: a join might begin with all reports that wait.
			WHERE (SELECT report.status = 'QUEUED' AND report.deleted_at IS NULL FROM public.reports AS report WHERE report.id = oldest.report_id)
			ORDER BY oldest.run_at LIMIT 1
		),
		(
			SELECT count(*) FROM public.worker_heartbeats AS worker
			WHERE 'suspect' = ANY (worker.lanes) AND worker.stopping_at IS NULL
				AND worker.beat_at > clock_timestamp() - make_interval(secs => "dead_after_ms" / 1000)
		);
END $$;
REVOKE ALL ON FUNCTION public.report_queue_state(integer, double precision) FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.report_types_served("dead_after_ms" double precision) RETURNS TABLE ("types" jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
	SELECT DISTINCT worker.served_types FROM public.worker_heartbeats AS worker
	WHERE worker.stopping_at IS NULL AND worker.beat_at > clock_timestamp() - make_interval(secs => "dead_after_ms" / 1000)
$$;
REVOKE ALL ON FUNCTION public.report_types_served(double precision) FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.report_workers("dead_after_ms" double precision)
RETURNS TABLE ("id" text, "host" text, "version" text, "lanes" text[], "types" jsonb, "running" bigint, "started_at" timestamptz, "beat_at" timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
	SELECT worker.worker_id, worker.host, worker.version, worker.lanes, worker.served_types,
		(SELECT count(*) FROM public.reports AS report WHERE report.worker_id = worker.worker_id AND report.status = 'RUNNING'),
		worker.started_at, worker.beat_at
	FROM public.worker_heartbeats AS worker
	WHERE worker.beat_at > clock_timestamp() - make_interval(secs => "dead_after_ms" / 1000)
	ORDER BY worker.started_at, worker.worker_id LIMIT 1000
$$;
REVOKE ALL ON FUNCTION public.report_workers(double precision) FROM PUBLIC;
