-- As before, only that what waits for a webhook is counted once in a transaction: retention ends hundreds of reports in one, and counting
-- to 10,000 for each webhook and event took longer than a statement may. What is left of the 10,000 the transaction remembers, so that
-- what it puts in line itself counts too.
CREATE OR REPLACE FUNCTION "public"."add_webhook_deliveries"("event_type" text, "event_owner" text, "event_report_type" text, "event_report_id" uuid, "event_data" jsonb) RETURNS void
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
