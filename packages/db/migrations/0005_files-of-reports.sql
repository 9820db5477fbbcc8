DROP INDEX "reports_type_created_at_index";--> statement-breakpoint
DROP INDEX "reports_type_finished_at_index";--> statement-breakpoint
DROP INDEX "reports_type_status_index";--> statement-breakpoint
DROP INDEX "reports_type_format_index";--> statement-breakpoint
DROP INDEX "reports_requested_by_type_index";--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "file_of" uuid;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "holds_rows" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "data_sha256" text;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_file_of_fkey" FOREIGN KEY ("file_of") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reports_file_of_index" ON "reports" USING btree ("file_of","created_at","id") WHERE "reports"."file_of" is not null;--> statement-breakpoint
CREATE INDEX "reports_open_files_index" ON "reports" USING btree ("expires_at") WHERE "reports"."file_of" is not null and "reports"."status" in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "reports_type_created_at_index" ON "reports" USING btree ("report_type","created_at","id","file_of") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_type_finished_at_index" ON "reports" USING btree ("report_type","finished_at","id","file_of") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_type_status_index" ON "reports" USING btree ("report_type","status","created_at","id","file_of") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_type_format_index" ON "reports" USING btree ("report_type",("options" ->> 'format'),"created_at","id","file_of") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_requested_by_type_index" ON "reports" USING btree ("requested_by","report_type","created_at","id","file_of") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_holds_rows_check" CHECK (not "reports"."holds_rows" or "reports"."file_of" is not null);--> statement-breakpoint
-- A webhook is told of reports. What becomes of a further file is read at its report.
CREATE OR REPLACE FUNCTION "public"."tell_webhooks"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM public.webhooks WHERE deleted_at IS NULL) THEN
		PERFORM public.add_webhook_deliveries(
			'report.' || lower(NEW.to_status), report.requested_by, report.report_type, report.id,
			jsonb_build_object(
				'id', report.id, 'reportType', report.report_type, 'status', NEW.to_status, 'revision', report.revision,
				-- Null of reports from before they knew it.
				'scheduleId', to_jsonb(report) -> 'schedule_id', 'requestId', report.request_id
			)
		) FROM public.reports AS report WHERE report.id = NEW.report_id AND report.file_of IS NULL;
	END IF;
	RETURN NULL;
END $$;
