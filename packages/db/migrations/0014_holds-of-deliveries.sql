ALTER TABLE "webhook_deliveries" ADD COLUMN "postponed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "hold" uuid;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "held_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "retry_next" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "begun_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_turn_index" ON "webhook_deliveries" USING btree ("webhook_id",least("tries", 1),"next_try_at") WHERE "webhook_deliveries"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_held_index" ON "webhook_deliveries" USING btree ("webhook_id") WHERE "webhook_deliveries"."hold" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_dropped_index" ON "webhook_deliveries" USING btree ("ended_at") WHERE "webhook_deliveries"."last_error_code" = 'TOO_MANY';