CREATE TABLE "damaged_files" (
	"storage_key" text PRIMARY KEY NOT NULL,
	"report_id" uuid NOT NULL,
	"confirmed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"property" text NOT NULL,
	"found" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "file_suspicions" (
	"report_id" uuid PRIMARY KEY NOT NULL,
	"noted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "maintenance_positions" (
	"name" text PRIMARY KEY NOT NULL,
	"position" text
);
--> statement-breakpoint
ALTER TABLE "report_events" ADD COLUMN "because" text;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "file_stored_version" text;--> statement-breakpoint
ALTER TABLE "file_suspicions" ADD CONSTRAINT "file_suspicions_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;