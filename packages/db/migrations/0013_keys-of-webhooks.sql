ALTER TABLE "webhooks" ADD COLUMN "earlier_secrets" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "unreadable_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "worker_heartbeats" ADD COLUMN "webhook_keys" text[];--> statement-breakpoint
-- The fingerprints of WEBHOOK_KEY of the running workers, for a role that cannot read their heartbeats.
CREATE FUNCTION "public"."webhook_keys_held"("dead_after_ms" double precision) RETURNS TABLE ("keys" text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
	SELECT DISTINCT worker.webhook_keys FROM public.worker_heartbeats AS worker
	WHERE worker.stopping_at IS NULL AND worker.beat_at > clock_timestamp() - make_interval(secs => "dead_after_ms" / 1000)
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "public"."webhook_keys_held"(double precision) FROM PUBLIC;
