CREATE TABLE "file_mismatches" (
	"storage_key" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "file_mismatches_kind_check" CHECK ("file_mismatches"."kind" in ('no-record', 'no-object'))
);
--> statement-breakpoint
CREATE TABLE "maintenance_turns" (
	"name" text PRIMARY KEY NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "worker_heartbeats" (
	"worker_id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"version" text NOT NULL,
	"lanes" text[] NOT NULL,
	"pool_ids" text[] NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"beat_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"stopping_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "lane" text DEFAULT 'quick' NOT NULL;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "losses" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "reports_ended_at_index" ON "reports" USING btree ((coalesce("deleted_at", "finished_at"))) WHERE "reports"."deleted_at" is not null or "reports"."status" in ('FAILED', 'CANCELLED', 'EXPIRED');--> statement-breakpoint
CREATE UNIQUE INDEX "reports_file_storage_key_unique" ON "reports" USING btree ("file_storage_key");--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_lane_check" CHECK ("reports"."lane" in ('quick', 'bulk', 'suspect'));--> statement-breakpoint
-- By hand: the one way into the queue. Everything about a job follows from its record: lane, trace context, and a priority that lets
-- a caller's first report pass another caller's hundredth. The key makes one job a report; asking again moves a job that waits, and
-- takes the key (and every further try) from one that is held. SECURITY DEFINER, for roles that have no right to the queue's own tables.
CREATE FUNCTION "enqueue_reports"("ids" uuid[], "min_delay_ms" double precision, "max_delay_ms" double precision) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
			(SELECT least(count(*), 1000) FROM public.reports AS earlier
				WHERE earlier.requested_by = report.requested_by AND earlier.status IN ('QUEUED', 'RUNNING') AND earlier.created_at < report.created_at),
			ARRAY[report.lane]
		)::graphile_worker.job_spec) AS specs
		FROM public.reports AS report
		WHERE report.id = ANY ("ids") AND report.status = 'QUEUED' AND report.deleted_at IS NULL
	) AS batch
	WHERE batch.specs IS NOT NULL;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "enqueue_reports"(uuid[], double precision, double precision) FROM PUBLIC;
