DROP INDEX "reports_created_at_index";--> statement-breakpoint
DROP INDEX "reports_requested_by_index";--> statement-breakpoint
CREATE INDEX "reports_type_created_at_index" ON "reports" USING btree ("report_type","created_at","id") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_type_finished_at_index" ON "reports" USING btree ("report_type","finished_at","id") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_type_status_index" ON "reports" USING btree ("report_type","status","created_at","id") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_type_format_index" ON "reports" USING btree ("report_type",("options" ->> 'format'),"created_at","id") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_requested_by_type_index" ON "reports" USING btree ("requested_by","report_type","created_at","id") WHERE "reports"."deleted_at" is null;