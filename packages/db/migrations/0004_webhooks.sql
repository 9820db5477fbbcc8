CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"type" text NOT NULL,
	"report_id" uuid,
	"data" jsonb NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp (3) with time zone,
	"last_status" integer,
	"last_error_code" text,
	"duration_ms" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_deliveries_event_key" UNIQUE("webhook_id","event_id"),
	CONSTRAINT "webhook_deliveries_status_check" CHECK ("webhook_deliveries"."status" in ('PENDING', 'DELIVERED', 'FAILED', 'DROPPED')),
	CONSTRAINT "webhook_deliveries_pending_check" CHECK (("webhook_deliveries"."status" = 'PENDING') = ("webhook_deliveries"."next_try_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"owner_authorities" text[] NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"report_types" text[],
	"of_whom" text NOT NULL,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"paused_because" text,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_ends_at" timestamp (3) with time zone,
	"revision" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"hold" uuid,
	"held_until" timestamp (3) with time zone,
	"tried_at" timestamp (3) with time zone,
	"rests_until" timestamp (3) with time zone,
	"failures_in_a_row" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	CONSTRAINT "webhooks_of_whom_check" CHECK ("webhooks"."of_whom" in ('OWN', 'ALL')),
	CONSTRAINT "webhooks_status_check" CHECK ("webhooks"."status" in ('ACTIVE', 'PAUSED')),
	CONSTRAINT "webhooks_paused_check" CHECK (("webhooks"."status" = 'PAUSED') = ("webhooks"."paused_because" is not null))
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_index" ON "webhook_deliveries" USING btree ("webhook_id","next_try_at") WHERE "webhook_deliveries"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created_at_index" ON "webhook_deliveries" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_report_id_index" ON "webhook_deliveries" USING btree ("report_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age_index" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhooks_owner_index" ON "webhooks" USING btree ("owner","created_at") WHERE "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "webhooks_of_all_index" ON "webhooks" USING btree ("id") WHERE "webhooks"."of_whom" = 'ALL' and "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "webhooks_deleted_at_index" ON "webhooks" USING btree ("deleted_at") WHERE "webhooks"."deleted_at" is not null;
--> statement-breakpoint
-- A lower-case UUIDv7 (RFC 9562, section 5.7), which servers before Postgres 18 do not make by themselves.
CREATE FUNCTION "public"."new_id"() RETURNS uuid LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
	SELECT encode(set_bit(set_bit(
		overlay(uuid_send(gen_random_uuid()) PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
		52, 1), 53, 1), 'hex')::uuid
$$;
--> statement-breakpoint
-- Puts an event in line for every webhook that subscribes to it, in the transaction of what happened. An endpoint for which 10,000 wait
-- already is told of no more. As the owner of the tables: no role can invent a delivery of something that did not happen.
CREATE FUNCTION "public"."add_webhook_deliveries"("event_type" text, "event_owner" text, "event_report_type" text, "event_report_id" uuid, "event_data" jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE event uuid := public.new_id();
BEGIN
	INSERT INTO public.webhook_deliveries (id, webhook_id, event_id, type, report_id, data, status, last_error_code, next_try_at, ended_at)
	SELECT public.new_id(), told.id, event, "event_type", "event_report_id", "event_data",
		CASE WHEN told.is_full THEN 'DROPPED' ELSE 'PENDING' END,
		CASE WHEN told.is_full THEN 'TOO_MANY' END,
		CASE WHEN told.is_full THEN NULL ELSE now() END,
		CASE WHEN told.is_full THEN now() END
	FROM (
		SELECT webhook.id, (SELECT count(*) >= 10000 FROM (
			SELECT FROM public.webhook_deliveries AS waiting WHERE waiting.webhook_id = webhook.id AND waiting.status = 'PENDING' LIMIT 10000
		) AS waiting) AS is_full
		FROM (
			-- Each half has an index of its own.
			SELECT * FROM public.webhooks WHERE of_whom = 'ALL' AND deleted_at IS NULL
			UNION ALL
			SELECT * FROM public.webhooks WHERE owner = "event_owner" AND of_whom = 'OWN' AND deleted_at IS NULL
		) AS webhook
		WHERE "event_type" = ANY (webhook.events) AND (webhook.report_types IS NULL OR "event_report_type" = ANY (webhook.report_types))
	) AS told;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "public"."add_webhook_deliveries"(text, text, text, uuid, jsonb) FROM PUBLIC;
--> statement-breakpoint
-- Where nobody has a webhook this looks at an empty index and is done.
CREATE FUNCTION "public"."tell_webhooks"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM public.webhooks WHERE deleted_at IS NULL) THEN
		PERFORM public.add_webhook_deliveries(
			'report.' || lower(NEW.to_status), report.requested_by, report.report_type, report.id,
			jsonb_build_object(
				'id', report.id, 'reportType', report.report_type, 'status', NEW.to_status, 'revision', report.revision,
				-- Null of reports from before they knew it.
				'scheduleId', to_jsonb(report) -> 'schedule_id', 'requestId', report.request_id
			)
		) FROM public.reports AS report WHERE report.id = NEW.report_id;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Where the event is written, so that no writer can forget it. Starts and claims pay for the comparison of two words alone.
CREATE TRIGGER "report_events_tell_webhooks" AFTER INSERT ON "report_events" FOR EACH ROW
WHEN (NEW.to_status IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED')) EXECUTE FUNCTION "public"."tell_webhooks"();
