ALTER TABLE "domains" ADD COLUMN "revision" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "proxies" ADD COLUMN "revision" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "domains_proxy_id_index" ON "domains" USING btree ("proxy_id","created_at","id") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_upstream_host_index" ON "domains" USING btree ("upstream_host") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "proxies_tags_index" ON "proxies" USING gin ("tags") WHERE "proxies"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_requested_by_index" ON "reports" USING btree ("requested_by","created_at","id") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
-- By hand: text search by trigrams. pg_trgm is a trusted extension of Postgres's contrib; where a server lacks it, searches read the table instead.
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
		CREATE EXTENSION IF NOT EXISTS pg_trgm;
		CREATE INDEX "proxies_text_index" ON "proxies" USING gin ("name" gin_trgm_ops, "description" gin_trgm_ops) WHERE "deleted_at" IS NULL;
		CREATE INDEX "domains_text_index" ON "domains" USING gin ("hostname" gin_trgm_ops, "hostname_ascii" gin_trgm_ops) WHERE "deleted_at" IS NULL;
	ELSE
		RAISE WARNING 'pg_trgm is not available on this server: text search will read whole tables. Install the contrib package, then create the indexes of this migration.';
	END IF;
EXCEPTION WHEN insufficient_privilege THEN
	RAISE WARNING 'pg_trgm may not be created by this user: text search will read whole tables. Have an administrator create it, then create the indexes of this migration.';
END $$;
