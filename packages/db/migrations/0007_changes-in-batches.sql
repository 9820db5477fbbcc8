-- Whoever tells of a change by himself says so in its transaction: a notifying commit waits for every other one of the cluster.
CREATE OR REPLACE FUNCTION "public"."notify_report_change"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
	IF current_setting('reports.changes_told', true) IS DISTINCT FROM 'in batches' THEN
		PERFORM pg_notify('report_changes', NEW.id::text);
	END IF;
	RETURN NULL;
END $$;
