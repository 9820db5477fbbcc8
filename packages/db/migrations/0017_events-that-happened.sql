ALTER TABLE "download_links" ADD CONSTRAINT "download_links_lifetime_check" CHECK ("download_links"."expires_at" <= "download_links"."created_at" + interval '24 hours');
--> statement-breakpoint
-- What add_webhook_deliveries did until now. Only triggers and functions of the owner of the tables call it.
CREATE FUNCTION "public"."queue_webhook_deliveries"("event_type" text, "event_owner" text, "event_report_type" text, "event_report_id" uuid, "event_data" jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	event uuid := public.new_id();
	known jsonb := coalesce(nullif(current_setting('reports.webhook_room', true), ''), '{}');
BEGIN
	WITH told AS MATERIALIZED (
		SELECT webhook.id, coalesce((known ->> webhook.id::text)::integer, (SELECT 10000 - count(*)::integer FROM (
			SELECT FROM public.webhook_deliveries AS waiting WHERE waiting.webhook_id = webhook.id AND waiting.status = 'PENDING' LIMIT 10000
		) AS waiting)) AS room
		FROM (
			-- Each half has an index of its own.
			SELECT * FROM public.webhooks WHERE of_whom = 'ALL' AND deleted_at IS NULL
			UNION ALL
			SELECT * FROM public.webhooks WHERE owner = "event_owner" AND of_whom = 'OWN' AND deleted_at IS NULL
		) AS webhook
		WHERE "event_type" = ANY (webhook.events) AND (webhook.report_types IS NULL OR "event_report_type" = ANY (webhook.report_types))
	), added AS (
		INSERT INTO public.webhook_deliveries (id, webhook_id, event_id, type, report_id, data, status, last_error_code, next_try_at, ended_at)
		SELECT public.new_id(), told.id, event, "event_type", "event_report_id", "event_data",
			CASE WHEN told.room > 0 THEN 'PENDING' ELSE 'DROPPED' END,
			CASE WHEN told.room > 0 THEN NULL ELSE 'TOO_MANY' END,
			CASE WHEN told.room > 0 THEN now() END,
			CASE WHEN told.room > 0 THEN NULL ELSE now() END
		FROM told
	)
	-- Until the transaction ends; a savepoint that it goes back to takes it back too.
	SELECT known || coalesce(jsonb_object_agg(told.id, greatest(told.room - 1, 0)), '{}') INTO known FROM told;
	PERFORM set_config('reports.webhook_room', known::text, true);
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "public"."queue_webhook_deliveries"(text, text, text, uuid, jsonb) FROM PUBLIC;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "public"."tell_webhooks"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM public.webhooks WHERE deleted_at IS NULL) THEN
		PERFORM public.queue_webhook_deliveries(
			'report.' || lower(NEW.to_status), report.requested_by, report.report_type, report.id,
			jsonb_build_object(
				'id', report.id, 'reportType', report.report_type, 'status', NEW.to_status, 'revision', report.revision,
				-- Null of reports from before they knew it.
				'scheduleId', to_jsonb(report) -> 'schedule_id', 'requestId', report.request_id
			)
		) FROM public.reports AS report WHERE report.id = NEW.report_id AND report.file_of IS NULL;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
-- The worker calls it, also the version before. It queues the event of a schedule that the same transaction has paused, and nothing else.
CREATE OR REPLACE FUNCTION "public"."add_webhook_deliveries"("event_type" text, "event_owner" text, "event_report_type" text, "event_report_id" uuid, "event_data" jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF "event_type" <> 'schedule.paused' OR "event_report_id" IS NOT NULL OR NOT EXISTS (
		SELECT FROM public.report_schedules AS schedule
		WHERE schedule.id = ("event_data" ->> 'scheduleId')::uuid AND schedule.xmin = pg_current_xact_id()::xid
			AND schedule.owner = "event_owner" AND schedule.report_type = "event_report_type" AND schedule.status = 'PAUSED'
			AND "event_data" = jsonb_build_object('scheduleId', schedule.id, 'because', schedule.paused_because)
	) THEN
		RAISE EXCEPTION 'add_webhook_deliveries takes the event of a schedule that this transaction has paused' USING ERRCODE = 'insufficient_privilege';
	END IF;
	PERFORM public.queue_webhook_deliveries("event_type", "event_owner", "event_report_type", "event_report_id", "event_data");
END $$;
