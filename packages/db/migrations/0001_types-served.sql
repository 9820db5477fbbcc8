ALTER TABLE "reports" ADD COLUMN "hand_backs" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "first_handed_back_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "handed_back_because" text;--> statement-breakpoint
ALTER TABLE "worker_heartbeats" ADD COLUMN "served_types" jsonb;--> statement-breakpoint
CREATE INDEX "reports_handed_back_index" ON "reports" USING btree ("report_type") WHERE "reports"."handed_back_because" is not null and "reports"."status" = 'QUEUED' and "reports"."deleted_at" is null;