CREATE TABLE "domains" (
	"id" uuid PRIMARY KEY NOT NULL,
	"proxy_id" uuid NOT NULL,
	"hostname" text NOT NULL,
	"hostname_ascii" text NOT NULL,
	"path_prefix" text DEFAULT '/' NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"upstream_scheme" text NOT NULL,
	"upstream_host" text NOT NULL,
	"upstream_port" integer NOT NULL,
	"tls_mode" text NOT NULL,
	"tls_min_version" text,
	"cert_issuer" text,
	"cert_key_type" text,
	"cert_not_before" timestamp (3) with time zone,
	"cert_not_after" timestamp (3) with time zone,
	"cert_fingerprint_sha256" text,
	"https_forced" boolean DEFAULT false NOT NULL,
	"hsts_enabled" boolean DEFAULT false NOT NULL,
	"http2_enabled" boolean DEFAULT false NOT NULL,
	"requests_24h" bigint,
	"bytes_out_24h" bigint,
	"error_rate_5xx_24h" numeric(7, 6),
	"last_checked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revision" bigint DEFAULT 1 NOT NULL,
	"observations" bigint DEFAULT 0 NOT NULL,
	"configured_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "domains_upstream_port_check" CHECK ("domains"."upstream_port" between 1 and 65535),
	CONSTRAINT "domains_status_check" CHECK ("domains"."status" in ('PENDING', 'ACTIVE', 'SUSPENDED', 'FAILED')),
	CONSTRAINT "domains_upstream_scheme_check" CHECK ("domains"."upstream_scheme" in ('HTTP', 'HTTPS', 'H2C', 'TCP')),
	CONSTRAINT "domains_tls_mode_check" CHECK ("domains"."tls_mode" in ('NONE', 'ACME', 'CUSTOM', 'PASSTHROUGH')),
	CONSTRAINT "domains_tls_min_version_check" CHECK ("domains"."tls_min_version" in ('TLS1.0', 'TLS1.1', 'TLS1.2', 'TLS1.3')),
	CONSTRAINT "domains_cert_key_type_check" CHECK ("domains"."cert_key_type" in ('RSA2048', 'RSA3072', 'RSA4096', 'ECDSA-P256', 'ECDSA-P384', 'ECDSA-P521', 'ED25519')),
	CONSTRAINT "domains_cert_dates_check" CHECK ("domains"."cert_not_after" > "domains"."cert_not_before"),
	CONSTRAINT "domains_cert_check" CHECK (num_nonnulls("domains"."cert_issuer", "domains"."cert_key_type", "domains"."cert_not_before", "domains"."cert_not_after", "domains"."cert_fingerprint_sha256") = case when "domains"."tls_mode" in ('ACME', 'CUSTOM') then 5 else 0 end),
	CONSTRAINT "domains_hsts_check" CHECK ("domains"."https_forced" or not "domains"."hsts_enabled"),
	CONSTRAINT "domains_error_rate_check" CHECK ("domains"."error_rate_5xx_24h" between 0 and 1),
	CONSTRAINT "domains_traffic_check" CHECK ("domains"."requests_24h" >= 0 and "domains"."bytes_out_24h" >= 0)
);
--> statement-breakpoint
CREATE TABLE "file_removals" (
	"storage_key" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"report_id" uuid,
	"noted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "file_removals_reason_check" CHECK ("file_removals"."reason" in ('expired', 'deleted', 'abandoned', 'no-record'))
);
--> statement-breakpoint
CREATE TABLE "reconciler_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reconciler_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"action" text NOT NULL,
	"files" integer NOT NULL,
	CONSTRAINT "reconciler_log_action_check" CHECK ("reconciler_log"."action" in ('begun', 'compared', 'unknown', 'refused', 'scheduled', 'kept', 'removed', 'expired', 'undone'))
);
--> statement-breakpoint
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
CREATE TABLE "idempotency_keys" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"fingerprint" text NOT NULL,
	"report_id" uuid,
	"answer" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "file_mismatches" (
	"storage_key" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_in" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "file_mismatches_kind_check" CHECK ("file_mismatches"."kind" in ('no-record', 'no-object'))
);
--> statement-breakpoint
CREATE TABLE "maintenance_positions" (
	"name" text PRIMARY KEY NOT NULL,
	"position" text
);
--> statement-breakpoint
CREATE TABLE "maintenance_turns" (
	"name" text PRIMARY KEY NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "proxies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"owner_team" text,
	"contact_email" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"kind" text NOT NULL,
	"software" text DEFAULT 'OTHER' NOT NULL,
	"software_version" text,
	"address" text NOT NULL,
	"port" integer NOT NULL,
	"protocol" text NOT NULL,
	"region" text,
	"country_code" text,
	"environment" text DEFAULT 'PROD' NOT NULL,
	"admin_state" text DEFAULT 'ENABLED' NOT NULL,
	"health" text DEFAULT 'UNKNOWN' NOT NULL,
	"last_checked_at" timestamp (3) with time zone,
	"latency_ms_p95" integer,
	"max_connections" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revision" bigint DEFAULT 1 NOT NULL,
	"observations" bigint DEFAULT 0 NOT NULL,
	"configured_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "proxies_name_check" CHECK ("proxies"."name" ~ '^[a-z0-9-]{1,63}$'),
	CONSTRAINT "proxies_port_check" CHECK ("proxies"."port" between 1 and 65535),
	CONSTRAINT "proxies_kind_check" CHECK ("proxies"."kind" in ('REVERSE', 'FORWARD', 'STREAM')),
	CONSTRAINT "proxies_software_check" CHECK ("proxies"."software" in ('NGINX', 'HAPROXY', 'CADDY', 'TRAEFIK', 'ENVOY', 'SQUID', 'OTHER')),
	CONSTRAINT "proxies_protocol_check" CHECK ("proxies"."protocol" in ('HTTP', 'HTTPS', 'TCP', 'SOCKS5')),
	CONSTRAINT "proxies_environment_check" CHECK ("proxies"."environment" in ('PROD', 'STAGING', 'DEV')),
	CONSTRAINT "proxies_admin_state_check" CHECK ("proxies"."admin_state" in ('ENABLED', 'DISABLED', 'DRAINING', 'MAINTENANCE')),
	CONSTRAINT "proxies_health_check" CHECK ("proxies"."health" in ('UP', 'DEGRADED', 'DOWN', 'UNKNOWN'))
);
--> statement-breakpoint
CREATE TABLE "rate_windows" (
	"key" text PRIMARY KEY NOT NULL,
	"hits" timestamp with time zone[] NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "report_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"report_id" uuid NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"attempt" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"because" text,
	"actor" text,
	CONSTRAINT "report_events_from_status_check" CHECK ("report_events"."from_status" in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED')),
	CONSTRAINT "report_events_to_status_check" CHECK ("report_events"."to_status" in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED', 'DELETED'))
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"report_type" text NOT NULL,
	"definition_version" integer NOT NULL,
	"title" text NOT NULL,
	"status" text NOT NULL,
	"search_param" jsonb NOT NULL,
	"options" jsonb NOT NULL,
	"requested_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"data_as_of" timestamp (3) with time zone,
	"progress_phase" text NOT NULL,
	"rows_done" bigint DEFAULT 0 NOT NULL,
	"rows_total" bigint,
	"percent" integer,
	"attempt" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"max_failures" integer NOT NULL,
	"row_count" bigint,
	"file_id" uuid,
	"file_name" text,
	"file_extension" text,
	"file_content_type" text,
	"file_size_bytes" bigint,
	"file_sha256" text,
	"file_columns" text[],
	"file_storage_key" text,
	"file_stored_version" text,
	"warnings" text[] DEFAULT '{}' NOT NULL,
	"warning_codes" text[] DEFAULT '{}' NOT NULL,
	"error_code" text,
	"error_detail" text,
	"error_retryable" boolean,
	"revision" bigint DEFAULT 1 NOT NULL,
	"traceparent" text,
	"request_id" text,
	"coalesce_key" text,
	"lane" text DEFAULT 'quick' NOT NULL,
	"losses" integer DEFAULT 0 NOT NULL,
	"required_authority" text,
	"worker_id" text,
	"lease_expires_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "reports_lane_check" CHECK ("reports"."lane" in ('quick', 'bulk', 'suspect')),
	CONSTRAINT "reports_status_check" CHECK ("reports"."status" in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED')),
	CONSTRAINT "reports_progress_phase_check" CHECK ("reports"."progress_phase" in ('waiting', 'querying', 'rendering', 'storing', 'done')),
	CONSTRAINT "reports_percent_check" CHECK ("reports"."percent" between 0 and 100),
	CONSTRAINT "reports_file_check" CHECK (("reports"."status" = 'SUCCEEDED') = ("reports"."file_id" is not null)),
	CONSTRAINT "reports_error_check" CHECK (("reports"."status" = 'FAILED') = ("reports"."error_code" is not null)),
	CONSTRAINT "reports_file_whole_check" CHECK (num_nulls("reports"."file_id", "reports"."file_name", "reports"."file_extension", "reports"."file_content_type", "reports"."file_size_bytes", "reports"."file_sha256", "reports"."file_columns", "reports"."file_storage_key") in (0, 8))
);
--> statement-breakpoint
CREATE TABLE "store_markers" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"adopted_at" timestamp (3) with time zone,
	CONSTRAINT "store_markers_is_only_check" CHECK ("store_markers"."is_only")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"name" text PRIMARY KEY NOT NULL,
	"password_hash" text NOT NULL,
	"authorities" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	CONSTRAINT "users_name_check" CHECK ("users"."name" ~ '^[^:[:cntrl:]]{1,255}$')
);
--> statement-breakpoint
CREATE TABLE "worker_heartbeats" (
	"worker_id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"version" text NOT NULL,
	"lanes" text[] NOT NULL,
	"pool_ids" text[] NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"beat_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"stopping_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_proxy_id_fkey" FOREIGN KEY ("proxy_id") REFERENCES "public"."proxies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_suspicions" ADD CONSTRAINT "file_suspicions_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_events" ADD CONSTRAINT "report_events_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "domains_hostname_path_unique" ON "domains" USING btree ("proxy_id","hostname_ascii","path_prefix") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_hostname_ascii_index" ON "domains" USING btree ("hostname_ascii") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_hostname_suffix_index" ON "domains" USING btree (reverse("hostname_ascii") text_pattern_ops) WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_cert_not_after_index" ON "domains" USING btree ("cert_not_after","id") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_deleted_at_index" ON "domains" USING btree ("deleted_at") WHERE "domains"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "domains_created_at_index" ON "domains" USING btree ("created_at","id") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_proxy_id_index" ON "domains" USING btree ("proxy_id","created_at","id") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_hostname_index" ON "domains" USING btree ("hostname","id") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_cert_issuer_index" ON "domains" USING btree ("cert_issuer") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_upstream_host_index" ON "domains" USING btree ("upstream_host") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "file_removals_due_at_index" ON "file_removals" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "reconciler_log_at_index" ON "reconciler_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_report_id_index" ON "idempotency_keys" USING btree ("report_id");--> statement-breakpoint
CREATE UNIQUE INDEX "proxies_name_unique" ON "proxies" USING btree ("name") WHERE "proxies"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "proxies_address_port_unique" ON "proxies" USING btree ("address","port") WHERE "proxies"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "proxies_deleted_at_index" ON "proxies" USING btree ("deleted_at") WHERE "proxies"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "proxies_created_at_index" ON "proxies" USING btree ("created_at","id") WHERE "proxies"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "proxies_tags_index" ON "proxies" USING gin ("tags") WHERE "proxies"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "rate_windows_expires_at_index" ON "rate_windows" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "report_events_report_id_index" ON "report_events" USING btree ("report_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "reports_coalesce_key_unique" ON "reports" USING btree ("coalesce_key") WHERE "reports"."status" in ('QUEUED', 'RUNNING') and "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_type_created_at_index" ON "reports" USING btree ("report_type","created_at","id") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_type_finished_at_index" ON "reports" USING btree ("report_type","finished_at","id") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_type_status_index" ON "reports" USING btree ("report_type","status","created_at","id") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_type_format_index" ON "reports" USING btree ("report_type",("options" ->> 'format'),"created_at","id") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_requested_by_type_index" ON "reports" USING btree ("requested_by","report_type","created_at","id") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_open_index" ON "reports" USING btree ("requested_by","created_at") WHERE "reports"."status" in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "reports_queued_index" ON "reports" USING btree ("lane","created_at","id") WHERE "reports"."status" = 'QUEUED' and "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_held_index" ON "reports" USING btree ("id") WHERE "reports"."worker_id" is not null;--> statement-breakpoint
CREATE INDEX "reports_expires_at_index" ON "reports" USING btree ("expires_at") WHERE "reports"."status" = 'SUCCEEDED';--> statement-breakpoint
CREATE INDEX "reports_ended_at_index" ON "reports" USING btree ((coalesce("deleted_at", "finished_at"))) WHERE "reports"."deleted_at" is not null or "reports"."status" in ('FAILED', 'CANCELLED', 'EXPIRED');--> statement-breakpoint
CREATE UNIQUE INDEX "reports_file_storage_key_unique" ON "reports" USING btree ("file_storage_key");--> statement-breakpoint
-- By hand, from here on. Rows of reports change every few seconds while they run; room in the page keeps those updates off the indexes, and vacuum must keep up.
ALTER TABLE "reports" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
--> statement-breakpoint
-- Text search by trigrams. pg_trgm is a trusted extension of Postgres's contrib; where a server lacks it, searches read the table instead.
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
--> statement-breakpoint
-- Tells API instances which report has changed, when the change commits. A trigger, so that no writer can forget it; the payload is the id alone, because NOTIFY serialises commits.
CREATE FUNCTION "notify_report_change"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
	PERFORM pg_notify('report_changes', NEW.id::text);
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Renewed leases are nobody's business: callers see only what moves the revision.
CREATE TRIGGER "reports_notify_change" AFTER UPDATE ON "reports" FOR EACH ROW WHEN (OLD.revision <> NEW.revision) EXECUTE FUNCTION "notify_report_change"();
--> statement-breakpoint
-- Two numbers of what other sessions do, for roles that may not look at them. As the owner, who sees all where it is a superuser or holds
-- pg_read_all_stats, and its own sessions otherwise. Each is nobody's secret: roles of a deployment's own read reports' rows and metrics, too.
CREATE FUNCTION "public"."report_oldest_snapshot_ms"() RETURNS double precision LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)) * 1000, 0)::double precision
	FROM pg_stat_activity WHERE backend_xmin IS NOT NULL AND datname = current_database()
$$;
--> statement-breakpoint
-- Of a replica that has replayed all that it received: when its primary was heard last. Null elsewhere.
CREATE FUNCTION "public"."report_primary_heard_at"() RETURNS timestamp with time zone LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce(last_msg_send_time, clock_timestamp() - nullif(current_setting('wal_receiver_timeout')::interval, interval '0'))
	FROM pg_stat_wal_receiver
	WHERE pid IS NOT NULL AND coalesce(status, 'streaming') = 'streaming' AND pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn()
$$;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "public"."report_oldest_snapshot_ms"(), "public"."report_primary_heard_at"() TO PUBLIC;
-- The functions that know where the queue is are made by the migration command after this (src/queue/queue-objects.ts), because its
-- schemas' names are the deployment's choice.
