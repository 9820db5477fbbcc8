CREATE TABLE "file_removals" (
	"storage_key" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"report_id" uuid,
	"noted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "file_removals_reason_check" CHECK ("file_removals"."reason" in ('expired', 'deleted', 'abandoned', 'no-record'))
);
--> statement-breakpoint
CREATE TABLE "reconciler_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reconciler_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"action" text NOT NULL,
	"files" integer NOT NULL,
	CONSTRAINT "reconciler_log_action_check" CHECK ("reconciler_log"."action" in ('begun', 'compared', 'unknown', 'refused', 'scheduled', 'kept', 'removed', 'expired', 'undone'))
);
--> statement-breakpoint
ALTER TABLE "file_mismatches" ADD COLUMN "seen_in" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "file_removals_due_at_index" ON "file_removals" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "reconciler_log_at_index" ON "reconciler_log" USING btree ("at");