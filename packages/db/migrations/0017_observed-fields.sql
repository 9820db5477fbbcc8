ALTER TABLE "domains" ADD COLUMN "observations" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "configured_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "proxies" ADD COLUMN "observations" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "proxies" ADD COLUMN "configured_at" timestamp (3) with time zone;