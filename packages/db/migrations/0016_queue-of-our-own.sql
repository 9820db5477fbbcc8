CREATE INDEX "reports_queued_index" ON "reports" USING btree ("lane","created_at","id") WHERE "reports"."status" = 'QUEUED' and "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_held_index" ON "reports" USING btree ("id") WHERE "reports"."worker_id" is not null;
--> statement-breakpoint
-- By hand: the functions that know where the queue is are made by the migration command after this (src/queue-objects.ts), because the
-- schema's name is the deployment's choice.
DROP FUNCTION "enqueue_reports"(uuid[], double precision, double precision);--> statement-breakpoint
DROP FUNCTION "report_queue_state"(integer);
