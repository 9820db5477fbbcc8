-- By hand: what a start costs no longer grows with what waits. Counting a caller's earlier reports ends at the lowest priority that there
-- is. Sessions live for hours and keep the plans that they made when the tables were small, so the function's own statement can be
-- answered by the primary key alone (conditions that an index on living or open reports would match stand in FILTER), and scans of
-- whole tables (graphile_worker's jobs among them) and bitmaps, which are built to their end whatever LIMIT says, are ruled out.
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
			(SELECT count(*) FROM (
				SELECT FROM public.reports AS earlier
				WHERE earlier.requested_by = report.requested_by AND earlier.status IN ('QUEUED', 'RUNNING') AND earlier.created_at < report.created_at
				ORDER BY earlier.created_at LIMIT 1000
			) AS counted),
			ARRAY[report.lane]
		)::graphile_worker.job_spec) FILTER (WHERE report.status = 'QUEUED' AND report.deleted_at IS NULL) AS specs
		FROM public.reports AS report
		WHERE report.id = ANY ("ids")
	) AS batch
	WHERE batch.specs IS NOT NULL;
END $$;
