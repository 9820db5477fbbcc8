-- Each index exists already if `migrate` could build it without a lock: packages/db/src/migrations/build-indexes.ts.
-- CREATE INDEX locks the table even if the index exists. Writers that wait for this lock could prevent the exclusive one below, so ask first.
DO $do$ BEGIN IF to_regclass('public.reports_type_status_created_at_index') IS NULL THEN
CREATE INDEX IF NOT EXISTS "reports_type_status_created_at_index" ON "reports" USING btree ("report_type","status","created_at","id","file_of",("options" ->> 'format')) WHERE "reports"."deleted_at" is null;
END IF; END $do$;--> statement-breakpoint
DO $do$ BEGIN IF to_regclass('public.reports_type_status_finished_at_index') IS NULL THEN
CREATE INDEX IF NOT EXISTS "reports_type_status_finished_at_index" ON "reports" USING btree ("report_type","status","finished_at","id","file_of",("options" ->> 'format')) WHERE "reports"."deleted_at" is null;
END IF; END $do$;--> statement-breakpoint
DO $do$ BEGIN IF to_regclass('public.reports_type_unusual_duration_index') IS NULL THEN
CREATE INDEX IF NOT EXISTS "reports_type_unusual_duration_index" ON "reports" USING btree ("report_type","finished_at","id") WHERE "reports"."deleted_at" is null and "reports"."finished_at" - "reports"."created_at" not between interval '0' and interval '24 hours';
END IF; END $do$;--> statement-breakpoint
DO $do$ BEGIN IF to_regclass('public.reports_requested_by_type_created_at_index') IS NULL THEN
CREATE INDEX IF NOT EXISTS "reports_requested_by_type_created_at_index" ON "reports" USING btree ("requested_by","report_type","created_at","id","file_of","status",("options" ->> 'format'),"finished_at") WHERE "reports"."deleted_at" is null;
END IF; END $do$;--> statement-breakpoint
DO $do$ BEGIN IF to_regclass('public.reports_schedule_type_created_at_index') IS NULL THEN
CREATE INDEX IF NOT EXISTS "reports_schedule_type_created_at_index" ON "reports" USING btree ("schedule_id","report_type","created_at","id","file_of","status",("options" ->> 'format'),"requested_by","finished_at") WHERE "reports"."schedule_id" is not null and "reports"."deleted_at" is null;
END IF; END $do$;--> statement-breakpoint
CREATE STATISTICS "reports_format_statistics" ON ("options" ->> 'format') FROM "reports";--> statement-breakpoint
CREATE STATISTICS "reports_duration_statistics" ON ("finished_at" - "created_at") FROM "reports";--> statement-breakpoint
ANALYZE "reports";--> statement-breakpoint
-- Last, because these need an exclusive lock until the end of the transaction.
DROP INDEX "reports_type_status_index";--> statement-breakpoint
DROP INDEX "reports_requested_by_type_index";--> statement-breakpoint
DROP INDEX "reports_schedule_type_index";
