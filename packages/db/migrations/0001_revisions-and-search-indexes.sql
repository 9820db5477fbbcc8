ALTER TABLE "domains" ADD COLUMN "revision" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "proxies" ADD COLUMN "revision" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "domains_proxy_id_index" ON "domains" USING btree ("proxy_id","created_at","id") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_upstream_host_index" ON "domains" USING btree ("upstream_host") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "proxies_tags_index" ON "proxies" USING gin ("tags") WHERE "proxies"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_requested_by_index" ON "reports" USING btree ("requested_by","created_at","id") WHERE "reports"."deleted_at" is null;