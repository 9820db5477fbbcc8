CREATE TABLE "report_schedule_fires" (
	"id" uuid PRIMARY KEY NOT NULL,
	"schedule_id" uuid NOT NULL,
	"scheduled_for" timestamp (3) with time zone NOT NULL,
	"fired_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"outcome" text NOT NULL,
	"because" text,
	"report_id" uuid,
	"count" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "report_schedule_fires_schedule_id_scheduled_for_key" UNIQUE("schedule_id","scheduled_for"),
	CONSTRAINT "report_schedule_fires_outcome_check" CHECK ("report_schedule_fires"."outcome" in ('STARTED', 'SKIPPED', 'REFUSED')),
	CONSTRAINT "report_schedule_fires_report_check" CHECK (("report_schedule_fires"."outcome" = 'STARTED') = ("report_schedule_fires"."report_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "report_schedules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"report_type" text NOT NULL,
	"definition_version" integer NOT NULL,
	"search_param" jsonb NOT NULL,
	"options" jsonb NOT NULL,
	"cron" text NOT NULL,
	"timezone" text NOT NULL,
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"missed" text NOT NULL,
	"missed_within_seconds" integer NOT NULL,
	"overlap" text NOT NULL,
	"status" text NOT NULL,
	"paused_because" text,
	"next_fire_at" timestamp (3) with time zone,
	"counted_from" timestamp (3) with time zone NOT NULL,
	"tz_version" text NOT NULL,
	"held_for" timestamp (3) with time zone,
	"owner" text NOT NULL,
	"required_authority" text,
	"confirmed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"failures_from" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revision" bigint DEFAULT 1 NOT NULL,
	"fires" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "report_schedules_status_check" CHECK ("report_schedules"."status" in ('ACTIVE', 'PAUSED', 'ENDED')),
	CONSTRAINT "report_schedules_missed_check" CHECK ("report_schedules"."missed" in ('LATEST', 'SKIP')),
	CONSTRAINT "report_schedules_overlap_check" CHECK ("report_schedules"."overlap" in ('SKIP', 'ALLOW')),
	CONSTRAINT "report_schedules_next_fire_check" CHECK (("report_schedules"."status" = 'ACTIVE') = ("report_schedules"."next_fire_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "schedule_id" uuid;--> statement-breakpoint
ALTER TABLE "report_schedule_fires" ADD CONSTRAINT "report_schedule_fires_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "public"."report_schedules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_schedule_fires_fired_at_index" ON "report_schedule_fires" USING btree ("fired_at");--> statement-breakpoint
CREATE INDEX "report_schedules_due_index" ON "report_schedules" USING btree ("next_fire_at") WHERE "report_schedules"."status" = 'ACTIVE' and "report_schedules"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "report_schedules_owner_index" ON "report_schedules" USING btree ("owner","created_at","id") WHERE "report_schedules"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "report_schedules_created_at_index" ON "report_schedules" USING btree ("created_at","id") WHERE "report_schedules"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "report_schedules_deleted_at_index" ON "report_schedules" USING btree ("deleted_at") WHERE "report_schedules"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "reports_schedule_type_index" ON "reports" USING btree ("schedule_id","report_type","created_at","id") WHERE "reports"."schedule_id" is not null and "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_schedule_open_index" ON "reports" USING btree ("schedule_id") WHERE "reports"."schedule_id" is not null and "reports"."status" in ('QUEUED', 'RUNNING') and "reports"."deleted_at" is null;