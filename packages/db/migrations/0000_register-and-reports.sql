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
CREATE TABLE "report_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "report_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"report_id" uuid NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"attempt" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
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
	"warnings" text[] DEFAULT '{}' NOT NULL,
	"error_code" text,
	"error_detail" text,
	"error_retryable" boolean,
	"revision" bigint DEFAULT 1 NOT NULL,
	"traceparent" text,
	"coalesce_key" text,
	"worker_id" text,
	"lease_expires_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "reports_status_check" CHECK ("reports"."status" in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED')),
	CONSTRAINT "reports_progress_phase_check" CHECK ("reports"."progress_phase" in ('waiting', 'querying', 'rendering', 'storing', 'done')),
	CONSTRAINT "reports_percent_check" CHECK ("reports"."percent" between 0 and 100),
	CONSTRAINT "reports_file_check" CHECK (("reports"."status" = 'SUCCEEDED') = ("reports"."file_id" is not null)),
	CONSTRAINT "reports_error_check" CHECK (("reports"."status" = 'FAILED') = ("reports"."error_code" is not null)),
	CONSTRAINT "reports_file_whole_check" CHECK (num_nulls("reports"."file_id", "reports"."file_name", "reports"."file_extension", "reports"."file_content_type", "reports"."file_size_bytes", "reports"."file_sha256", "reports"."file_columns", "reports"."file_storage_key") in (0, 8))
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
ALTER TABLE "domains" ADD CONSTRAINT "domains_proxy_id_fkey" FOREIGN KEY ("proxy_id") REFERENCES "public"."proxies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_events" ADD CONSTRAINT "report_events_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "domains_hostname_path_unique" ON "domains" USING btree ("proxy_id","hostname_ascii","path_prefix") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_hostname_ascii_index" ON "domains" USING btree ("hostname_ascii") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_hostname_suffix_index" ON "domains" USING btree (reverse("hostname_ascii") text_pattern_ops) WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_cert_not_after_index" ON "domains" USING btree ("cert_not_after","id") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "domains_created_at_index" ON "domains" USING btree ("created_at","id") WHERE "domains"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "proxies_name_unique" ON "proxies" USING btree ("name") WHERE "proxies"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "proxies_address_port_unique" ON "proxies" USING btree ("address","port") WHERE "proxies"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "proxies_created_at_index" ON "proxies" USING btree ("created_at","id") WHERE "proxies"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "report_events_report_id_index" ON "report_events" USING btree ("report_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "reports_coalesce_key_unique" ON "reports" USING btree ("coalesce_key") WHERE "reports"."status" in ('QUEUED', 'RUNNING') and "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_created_at_index" ON "reports" USING btree ("created_at","id") WHERE "reports"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "reports_open_index" ON "reports" USING btree ("requested_by","created_at") WHERE "reports"."status" in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "reports_expires_at_index" ON "reports" USING btree ("expires_at") WHERE "reports"."status" = 'SUCCEEDED';--> statement-breakpoint
-- By hand: rows of reports change every few seconds while they run; room in the page keeps those updates off the indexes, and vacuum must keep up.
ALTER TABLE "reports" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
