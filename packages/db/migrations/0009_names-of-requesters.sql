ALTER TABLE "report_schedules" ADD COLUMN "owner_name" text;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "requester_name" text;