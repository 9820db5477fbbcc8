-- Tells API instances which report has changed, when the change commits. A trigger, so that no writer can forget it; the payload is the id alone, because NOTIFY serialises commits.
CREATE FUNCTION "notify_report_change"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
	PERFORM pg_notify('report_changes', NEW.id::text);
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Renewed leases are nobody's business: callers see only what moves the revision.
CREATE TRIGGER "reports_notify_change" AFTER UPDATE ON "reports" FOR EACH ROW WHEN (OLD.revision <> NEW.revision) EXECUTE FUNCTION "notify_report_change"();
