CREATE TABLE "rate_windows" (
	"key" text PRIMARY KEY NOT NULL,
	"hits" timestamp with time zone[] NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "required_authority" text;--> statement-breakpoint
CREATE INDEX "rate_windows_expires_at_index" ON "rate_windows" USING btree ("expires_at");--> statement-breakpoint
-- By hand: depth and age of the queue, for roles that have no right to the queue's own tables.
CREATE FUNCTION "report_queue_state"("count_at_most" integer) RETURNS TABLE ("waiting" bigint, "running" bigint, "oldest_wait_ms" bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN QUERY
	WITH due AS (
		SELECT job.run_at FROM graphile_worker.jobs AS job
		WHERE job.task_identifier = 'run_report' AND job.locked_at IS NULL AND job.attempts < job.max_attempts AND job.run_at <= now()
		LIMIT "count_at_most"
	), held AS (
		SELECT FROM graphile_worker.jobs AS job WHERE job.task_identifier = 'run_report' AND job.locked_at IS NOT NULL LIMIT "count_at_most"
	)
	SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM held), (SELECT (extract(epoch from now() - min(due.run_at)) * 1000)::bigint FROM due);
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "report_queue_state"(integer) FROM PUBLIC;
