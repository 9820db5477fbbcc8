-- By hand: a report whose worker died has had its turn and comes before all that wait for their first, so that it is not behind a full
-- queue that its callers wait for what was lost. There are never more of these than dead workers had slots.
CREATE OR REPLACE FUNCTION "enqueue_reports"("ids" uuid[], "min_delay_ms" double precision, "max_delay_ms" double precision) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
	PERFORM graphile_worker.add_jobs(batch.specs)
	FROM (
		SELECT array_agg(ROW(
			'run_report',
			json_strip_nulls(json_build_object('reportId', report.id, 'traceparent', report.traceparent)),
			NULL,
			now() + make_interval(secs => ("min_delay_ms" + random() * ("max_delay_ms" - "min_delay_ms")) / 1000),
			NULL,
			'report:' || report.id,
			CASE WHEN report.losses > 0 THEN -1 ELSE (SELECT count(*) FROM (
				SELECT FROM public.reports AS earlier
				WHERE earlier.requested_by = report.requested_by AND earlier.status IN ('QUEUED', 'RUNNING') AND earlier.created_at < report.created_at
				ORDER BY earlier.created_at LIMIT 1000
			) AS counted) END,
			ARRAY[report.lane]
		)::graphile_worker.job_spec) FILTER (WHERE report.status = 'QUEUED' AND report.deleted_at IS NULL) AS specs
		FROM public.reports AS report
		WHERE report.id = ANY ("ids")
	) AS batch
	WHERE batch.specs IS NOT NULL;
END $$;
