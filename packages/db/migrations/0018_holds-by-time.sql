-- Created first, so that the exclusive lock of the removal is short.
CREATE INDEX "webhook_deliveries_held_until_index" ON "webhook_deliveries" USING btree ("webhook_id","held_until") WHERE "webhook_deliveries"."hold" is not null;--> statement-breakpoint
DROP INDEX "webhook_deliveries_held_index";
