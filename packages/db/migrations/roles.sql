-- What the API and the worker may do, and nothing else. Run by the owner of the tables after every migration; running it again changes nothing.
-- Reviewed like a migration: a new table is closed to both until a line here opens it.
-- The command runs what stands above "Guards of tables" each time: it takes no lock that readers or writers of a table would notice. Whatever
-- would take one stands below, and runs for the tables alone whose guards are not as it says.
SELECT pg_advisory_xact_lock(7217311806);

DO $$
DECLARE wanted text;
BEGIN
	FOREACH wanted IN ARRAY ARRAY['reports_api', 'reports_worker'] LOOP
		IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
			BEGIN
				EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
			EXCEPTION WHEN duplicate_object OR unique_violation THEN
				NULL; -- Roles belong to the whole server; another database's script was faster.
			END;
		END IF;
	END LOOP;
END $$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
-- What everybody may do in a new database and none of ours needs: temporary tables, and files in the database (large objects). Only the
-- owner of the database may close the one, only a superuser the other; the command says what it could not close.
DO $$
BEGIN
	EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC, reports_api, reports_worker', current_database());
EXCEPTION WHEN insufficient_privilege THEN
	NULL;
END $$;
DO $$
DECLARE large_object_function regprocedure;
BEGIN
	FOR large_object_function IN
		SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND (proname LIKE 'lo\_%' OR proname IN ('loread', 'lowrite'))
	LOOP
		EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', large_object_function);
	END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
	NULL;
END $$;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, reports_api, reports_worker;
GRANT USAGE ON SCHEMA public, drizzle TO reports_api, reports_worker;
GRANT SELECT ON drizzle.__drizzle_migrations TO reports_api, reports_worker;

-- Rights to collections, written by `pnpm generate role-grants`:
GRANT SELECT, INSERT, UPDATE ON proxies, domains TO reports_api;
GRANT UPDATE (owner_authorities, confirmed_at, url, events, report_types, of_whom, status, paused_because, secret, previous_secret, previous_secret_ends_at, earlier_secrets, revision, updated_at, deleted_at, rests_until, begun_at, failures_in_a_row, failing_since) ON webhooks TO reports_api;
GRANT UPDATE (name, definition_version, search_param, options, cron, timezone, starts_at, ends_at, missed, missed_within_seconds, overlap, status, paused_because, next_fire_at, counted_from, tz_version, held_for, owner_name, confirmed_at, failures_from, revision, updated_at, deleted_at) ON report_schedules TO reports_api;
GRANT SELECT, DELETE ON proxies, domains TO reports_worker;

-- The API queues reports, and changes of a report what its callers may: it can name no file and no outcome.
GRANT SELECT, INSERT ON reports TO reports_api;
GRANT UPDATE (status, title, deleted_at, finished_at, updated_at, revision, worker_id, lease_expires_at) ON reports TO reports_api;
GRANT SELECT, INSERT ON report_events TO reports_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys, rate_windows TO reports_api;
GRANT SELECT ON users TO reports_api;
-- Links are made and revoked, and never prolonged or given to another principal.
GRANT SELECT, INSERT, UPDATE (revoked_at) ON download_links TO reports_api;
-- Webhooks are made and changed by their owners; what is on its way to them a trigger writes, and a test or another delivery is asked for.
GRANT SELECT, INSERT ON webhooks, webhook_deliveries TO reports_api;
GRANT UPDATE (status, tries, postponed, next_try_at, ended_at) ON webhook_deliveries TO reports_api;
-- Schedules are made, changed and marked as deleted, and never given to another owner, type or authority; the worker fires them. A fire that the API writes is one that somebody asked for.
GRANT SELECT, INSERT ON report_schedules TO reports_api;
GRANT SELECT, INSERT ON report_schedule_fires TO reports_api;
-- It notes which file looked wrong to a download; whether it is so the worker judges.
GRANT INSERT ON file_suspicions TO reports_api;
GRANT SELECT ON store_markers TO reports_api;
-- The files of reports that its callers delete; other entries of the list are not seen.
GRANT SELECT, INSERT, DELETE ON file_removals TO reports_api;
GRANT EXECUTE ON FUNCTION enqueue_reports(uuid[], double precision, double precision), report_queue_state(integer, double precision), report_types_served(double precision), report_workers(double precision), webhook_keys_held(double precision), remove_report_jobs(uuid[]) TO reports_api;

-- Of a report's state the API may change one thing: an open report is cancelled, and whoever ran it is told so. A tombstone stays one.
CREATE OR REPLACE FUNCTION public.refuse_change_by_api() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION 'reports_api may cancel a report, and change neither its state nor its lease in another way' USING ERRCODE = 'insufficient_privilege';
END $$;

-- For triggers whose condition says what is refused; the argument says why.
CREATE OR REPLACE FUNCTION public.refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION '%: %', TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'insufficient_privilege';
END $$;

-- The owner of a webhook was seen when their authorities were stored, by the time of that transaction. The version before stores them alone.
CREATE OR REPLACE FUNCTION public.date_owner_confirmation() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	NEW.confirmed_at := now();
	RETURN NEW;
END $$;

-- An event that the API writes tells what its transaction has done to the report, once, with the time of that transaction, and never in the
-- service's name or a schedule's. A start names the requester, or the caller that runs a schedule by hand. In the previous version it names the
-- requester always. In whose name the API starts, cancels and deletes is its own word: only the API sees credentials.
CREATE OR REPLACE FUNCTION public.refuse_untrue_event_by_api() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE report record;
BEGIN
	SELECT status, attempt, requested_by, counted_for, deleted_at INTO report FROM public.reports
	WHERE id = NEW.report_id AND xmin = pg_current_xact_id()::xid;
	IF FOUND
		AND NEW.because IS NULL AND NEW.attempt = report.attempt
		AND NEW.actor IS NOT NULL AND NEW.actor <> 'system' AND NEW.actor !~ '^(worker|schedule):[^|]*$'
		AND (CASE
			WHEN NEW.from_status IS NULL THEN NEW.to_status = 'QUEUED' AND report.status = 'QUEUED' AND NEW.actor IN (report.requested_by, report.counted_for)
			WHEN NEW.to_status = 'CANCELLED' THEN report.status = 'CANCELLED' AND NEW.from_status IN ('QUEUED', 'RUNNING')
			ELSE NEW.to_status = 'DELETED' AND report.deleted_at IS NOT NULL AND NEW.from_status = report.status
		END)
		AND NOT EXISTS (
			SELECT FROM public.report_events
			WHERE report_id = NEW.report_id AND to_status = NEW.to_status AND (from_status IS NULL) = (NEW.from_status IS NULL)
		)
	THEN
		NEW.at := now();
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'reports_api may tell of a report what it has just done to it, and nothing else' USING ERRCODE = 'insufficient_privilege';
END $$;

-- An event of the worker is about a report that the same transaction has written, leads to the state that the report has now, and names the
-- service. The start of a schedule's report names the schedule, or the requester in the previous version. A claim from a dead worker writes two events.
CREATE OR REPLACE FUNCTION public.refuse_untrue_event_by_worker() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NEW.to_status <> 'DELETED' AND EXISTS (
		SELECT FROM public.reports AS report
		WHERE report.id = NEW.report_id AND report.xmin = pg_current_xact_id()::xid
			AND (report.status = NEW.to_status OR report.status = 'RUNNING' AND NEW.to_status = 'QUEUED')
			AND CASE
				WHEN NEW.from_status IS NULL THEN NEW.to_status = 'QUEUED' AND NEW.actor IN ('schedule:' || report.schedule_id, report.requested_by)
				ELSE NEW.actor = 'system' OR NEW.actor ~ '^worker:'
			END
	) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'reports_worker may add an event of what it has just done to a report, in the service''s name' USING ERRCODE = 'insufficient_privilege';
END $$;

-- And what it does to a report it tells, at its COMMIT at the latest.
CREATE OR REPLACE FUNCTION public.refuse_untold_change_by_api() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE untold text;
BEGIN
	SELECT wanted INTO untold FROM unnest(ARRAY[
		CASE WHEN NEW.status IS DISTINCT FROM OLD.status THEN NEW.status END,
		CASE WHEN NEW.deleted_at IS DISTINCT FROM OLD.deleted_at THEN 'DELETED' END
	]) AS wanted
	WHERE wanted IS NOT NULL AND NOT EXISTS (
		SELECT FROM public.report_events WHERE report_id = NEW.id AND to_status = wanted AND xmin = pg_current_xact_id()::xid
	);
	IF FOUND THEN
		RAISE EXCEPTION 'reports_api may not leave a report % without an event', untold USING ERRCODE = 'insufficient_privilege';
	END IF;
	RETURN NULL;
END $$;

-- The worker runs reports and clears away what is old. It sees no password, not even a hash of one.
GRANT SELECT (name, authorities, disabled_at) ON users TO reports_worker;
-- It writes two kinds of record itself: row snapshots, and what schedules start. Of no report it changes what that is, whose it is or what it needs.
GRANT SELECT, INSERT, DELETE ON reports TO reports_worker;
GRANT UPDATE (status, started_at, finished_at, updated_at, expires_at, data_as_of, progress_phase, rows_done, rows_total, percent, attempt, failures, row_count, file_id, file_name, file_extension, file_content_type, file_size_bytes, file_sha256, file_columns, file_storage_key, file_stored_version, warnings, warning_codes, error_code, error_detail, error_retryable, revision, lane, losses, hand_backs, first_handed_back_at, handed_back_because, worker_id, lease_expires_at, data_sha256, spool_exceeded_bytes) ON reports TO reports_worker;
GRANT SELECT, INSERT, DELETE ON report_events TO reports_worker;
GRANT SELECT, DELETE ON idempotency_keys TO reports_worker;
-- It fires schedules, and pauses them: what they start, whose they are and when they fire stays as their owners said.
GRANT SELECT, UPDATE (status, paused_because, next_fire_at, counted_from, tz_version, held_for, fires, revision, updated_at), DELETE ON report_schedules TO reports_worker;
GRANT SELECT, INSERT, DELETE ON report_schedule_fires TO reports_worker;
-- It removes links that have ended, and sees no hash of a token.
GRANT SELECT (id, expires_at), DELETE ON download_links TO reports_worker;
-- It sends what waits and writes down what came of it; it may not choose where to.
GRANT SELECT, DELETE ON webhooks, webhook_deliveries TO reports_worker;
GRANT UPDATE (status, paused_because, revision, updated_at, hold, held_until, tried_at, retry_next, rests_until, failures_in_a_row, failing_since, last_delivered_at, unreadable_since) ON webhooks TO reports_worker;
GRANT UPDATE (status, tries, postponed, next_try_at, hold, held_until, last_status, last_error_code, duration_ms, ended_at) ON webhook_deliveries TO reports_worker;
-- Only for a schedule that the same transaction has paused.
GRANT EXECUTE ON FUNCTION add_webhook_deliveries(text, text, text, uuid, jsonb) TO reports_worker;
GRANT SELECT, INSERT, UPDATE ON maintenance_positions TO reports_worker;
GRANT SELECT, INSERT, UPDATE (noted_at), DELETE ON file_suspicions TO reports_worker;
-- What stands here is kept: the worker can add to it and take nothing away.
GRANT SELECT, INSERT ON damaged_files TO reports_worker;
-- It adopts an empty store; another id for the store in use is the owner's decision.
GRANT SELECT, INSERT, UPDATE (adopted_at) ON store_markers TO reports_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON worker_heartbeats, maintenance_turns, file_mismatches, file_removals, reconciler_log TO reports_worker;
GRANT EXECUTE ON FUNCTION enqueue_reports(uuid[], double precision, double precision), report_queue_state(integer, double precision), remove_report_jobs(uuid[]) TO reports_worker;

-- The queue's tables, in the schema of each lane, have row-level security without policies, so that rights alone open nothing. The worker
-- gets both, the API neither. Where the queue is, the migration has left behind.
DO $$
DECLARE lane_schema text; queue_table text;
BEGIN
	EXECUTE format('GRANT USAGE ON SCHEMA %I TO reports_worker', report_queue_schema());
	EXECUTE format('GRANT SELECT ON %I.jobs TO reports_worker', report_queue_schema());
	FOREACH lane_schema IN ARRAY ARRAY[report_queue_schema() || '_quick', report_queue_schema() || '_bulk', report_queue_schema() || '_suspect'] LOOP
		EXECUTE format('GRANT USAGE ON SCHEMA %I TO reports_worker', lane_schema);
		EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO reports_worker', lane_schema);
		-- Which version of graphile-worker these tables are of, only the migration says.
		EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON %I.migrations FROM reports_worker', lane_schema);
		EXECUTE format('GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA %I TO reports_worker', lane_schema);
		EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA %I TO reports_worker', lane_schema);
		FOR queue_table IN
			SELECT tablename FROM pg_tables WHERE schemaname = lane_schema AND rowsecurity AND NOT EXISTS (
				SELECT FROM pg_policies AS policy
				WHERE policy.schemaname = lane_schema AND policy.tablename = pg_tables.tablename AND policyname = 'reports_worker_all'
					AND permissive = 'PERMISSIVE' AND cmd = 'ALL' AND roles = '{reports_worker}' AND qual = 'true' AND with_check = 'true'
			)
		LOOP
			EXECUTE format('DROP POLICY IF EXISTS reports_worker_all ON %I.%I', lane_schema, queue_table);
			EXECUTE format('CREATE POLICY reports_worker_all ON %I.%I TO reports_worker USING (true) WITH CHECK (true)', lane_schema, queue_table);
		END LOOP;
	END LOOP;
END $$;

-- What other sessions of the server do is nobody's business; two numbers of it come from functions that everybody may call.
-- Earlier versions granted more.
DO $$
BEGIN
	IF EXISTS (
		SELECT FROM pg_auth_members WHERE roleid = 'pg_read_all_stats'::regrole AND member IN ('reports_api'::regrole, 'reports_worker'::regrole)
	) THEN
		REVOKE pg_read_all_stats FROM reports_api, reports_worker;
	END IF;
END $$;

-- Guards of tables: row-level security, policies and triggers. Every statement of a section is about its table and none other.

-- On reports:
-- A report can only begin as QUEUED, whatever statement the API is made to send.
ALTER TABLE reports ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS reports_api_select ON reports;
DROP POLICY IF EXISTS reports_api_insert ON reports;
DROP POLICY IF EXISTS reports_api_update ON reports;
DROP POLICY IF EXISTS reports_worker_all ON reports;
DROP POLICY IF EXISTS reports_worker_select ON reports;
DROP POLICY IF EXISTS reports_worker_insert ON reports;
DROP POLICY IF EXISTS reports_worker_insert_scheduled ON reports;
DROP POLICY IF EXISTS reports_worker_update ON reports;
DROP POLICY IF EXISTS reports_worker_delete ON reports;
CREATE POLICY reports_api_select ON reports FOR SELECT TO reports_api USING (true);
CREATE POLICY reports_api_insert ON reports FOR INSERT TO reports_api WITH CHECK (
	status = 'QUEUED' AND lane IN ('quick', 'bulk') AND created_at = now()::timestamptz(3) AND updated_at = created_at AND revision = 1
	AND attempt = 0 AND failures = 0 AND losses = 0 AND hand_backs = 0 AND first_handed_back_at IS NULL AND handed_back_because IS NULL
	AND worker_id IS NULL AND lease_expires_at IS NULL AND started_at IS NULL AND finished_at IS NULL AND deleted_at IS NULL
	AND NOT holds_rows AND data_sha256 IS NULL AND data_as_of IS NULL AND row_count IS NULL AND warnings = '{}' AND warning_codes = '{}'
	AND error_code IS NULL AND error_detail IS NULL AND error_retryable IS NULL AND spool_exceeded_bytes IS NULL
	-- A report of a schedule has its owner and type. An additional format has the type of its report, and ends with it.
	AND (schedule_id IS NULL OR EXISTS (
		SELECT FROM public.report_schedules AS schedule
		WHERE schedule.id = schedule_id AND schedule.owner = requested_by AND schedule.report_type = reports.report_type
	))
	AND CASE WHEN file_of IS NULL THEN expires_at IS NULL ELSE EXISTS (
		SELECT FROM public.reports AS origin
		WHERE origin.id = reports.file_of AND origin.file_of IS NULL AND origin.report_type = reports.report_type
			AND origin.status = 'SUCCEEDED' AND origin.deleted_at IS NULL AND origin.expires_at = reports.expires_at
	) END
);
CREATE POLICY reports_api_update ON reports FOR UPDATE TO reports_api USING (true) WITH CHECK (true);
CREATE POLICY reports_worker_select ON reports FOR SELECT TO reports_worker USING (true);
CREATE POLICY reports_worker_update ON reports FOR UPDATE TO reports_worker USING (true) WITH CHECK (true);
-- Retention deletes records that have ended, and none with a file.
CREATE POLICY reports_worker_delete ON reports FOR DELETE TO reports_worker USING (deleted_at IS NOT NULL OR status IN ('FAILED', 'CANCELLED', 'EXPIRED'));
-- The row snapshot of a report that succeeded in the same attempt, under the name of its requester.
CREATE POLICY reports_worker_insert ON reports FOR INSERT TO reports_worker WITH CHECK (
	holds_rows AND status = 'SUCCEEDED' AND deleted_at IS NULL AND schedule_id IS NULL AND counted_for IS NULL AND EXISTS (
		SELECT FROM public.reports AS origin
		WHERE origin.id = reports.file_of AND origin.file_of IS NULL AND origin.requested_by = reports.requested_by
			AND origin.report_type = reports.report_type AND origin.attempt = reports.attempt AND origin.status = 'SUCCEEDED'
	)
);
-- The worker starts what a schedule asks for, in its owner's name and with what it needs, and nothing else. One of the version before says
-- nothing of what the owner is called.
CREATE POLICY reports_worker_insert_scheduled ON reports FOR INSERT TO reports_worker WITH CHECK (
	status = 'QUEUED' AND attempt = 0 AND failures = 0 AND losses = 0 AND worker_id IS NULL AND lease_expires_at IS NULL AND deleted_at IS NULL
	AND NOT holds_rows AND file_of IS NULL AND created_at = now()::timestamptz(3)
	AND EXISTS (
		SELECT FROM public.report_schedules AS schedule
		WHERE schedule.id = schedule_id AND schedule.owner = requested_by AND schedule.report_type = reports.report_type
			AND (requester_name IS NULL OR requester_name = schedule.owner_name) AND counted_for IS NULL
			AND schedule.required_authority IS NOT DISTINCT FROM reports.required_authority
			AND schedule.status = 'ACTIVE' AND schedule.deleted_at IS NULL
	)
);
-- Of a report's state the API may cancel what is open, and it tells what it did.
DROP TRIGGER IF EXISTS reports_refuse_change_by_api ON reports;
CREATE TRIGGER reports_refuse_change_by_api BEFORE UPDATE OF status, title, worker_id, lease_expires_at, finished_at, deleted_at, updated_at, revision ON reports FOR EACH ROW
WHEN (
	-- On a server to which a dump was restored without its roles nobody is meant.
	pg_has_role(to_regrole('reports_api')::oid, 'MEMBER') AND NOT coalesce(pg_has_role(to_regrole('reports_worker')::oid, 'MEMBER'), false) AND (
		OLD.deleted_at IS NOT NULL
		OR NEW.revision <> OLD.revision + 1 OR NEW.updated_at <> now()::timestamptz(3)
		OR NEW.deleted_at <> now()::timestamptz(3)
		OR NEW.finished_at IS DISTINCT FROM OLD.finished_at AND NEW.finished_at IS DISTINCT FROM now()::timestamptz(3)
		OR (NEW.status, NEW.worker_id, NEW.lease_expires_at, NEW.finished_at) IS DISTINCT FROM (OLD.status, OLD.worker_id, OLD.lease_expires_at, OLD.finished_at)
		AND NOT (OLD.status IN ('QUEUED', 'RUNNING') AND NEW.status = 'CANCELLED' AND NEW.worker_id IS NULL AND NEW.lease_expires_at IS NULL)
	)
) EXECUTE FUNCTION public.refuse_change_by_api();
DROP TRIGGER IF EXISTS reports_refuse_untold_change_by_api ON reports;
CREATE CONSTRAINT TRIGGER reports_refuse_untold_change_by_api AFTER UPDATE OF status, deleted_at ON reports DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
WHEN (
	pg_has_role(to_regrole('reports_api')::oid, 'MEMBER') AND NOT coalesce(pg_has_role(to_regrole('reports_worker')::oid, 'MEMBER'), false)
	AND (NEW.status, NEW.deleted_at) IS DISTINCT FROM (OLD.status, OLD.deleted_at)
) EXECUTE FUNCTION public.refuse_untold_change_by_api();

-- What a report is, whose it is and what it needs stays as it was inserted, whoever asks.
DROP TRIGGER IF EXISTS reports_refuse_other_identity ON reports;
CREATE TRIGGER reports_refuse_other_identity BEFORE UPDATE OF id, report_type, definition_version, search_param, search_param_given, requested_by, requester_name, schedule_id, counted_for, request_id, required_authority, file_of, holds_rows ON reports FOR EACH ROW
WHEN (
	(OLD.id, OLD.report_type, OLD.definition_version, OLD.search_param, OLD.search_param_given, OLD.requested_by, OLD.requester_name, OLD.schedule_id, OLD.counted_for, OLD.request_id, OLD.required_authority, OLD.file_of, OLD.holds_rows)
	IS DISTINCT FROM (NEW.id, NEW.report_type, NEW.definition_version, NEW.search_param, NEW.search_param_given, NEW.requested_by, NEW.requester_name, NEW.schedule_id, NEW.counted_for, NEW.request_id, NEW.required_authority, NEW.file_of, NEW.holds_rows)
) EXECUTE FUNCTION public.refuse_change('type, filters, requester and required authority of a report never change');

-- On report_events:
DROP TRIGGER IF EXISTS report_events_refuse_untrue_by_api ON report_events;
CREATE TRIGGER report_events_refuse_untrue_by_api BEFORE INSERT ON report_events FOR EACH ROW
WHEN (pg_has_role(to_regrole('reports_api')::oid, 'MEMBER') AND NOT coalesce(pg_has_role(to_regrole('reports_worker')::oid, 'MEMBER'), false))
EXECUTE FUNCTION public.refuse_untrue_event_by_api();
DROP TRIGGER IF EXISTS report_events_refuse_untrue_by_worker ON report_events;
CREATE TRIGGER report_events_refuse_untrue_by_worker BEFORE INSERT ON report_events FOR EACH ROW
WHEN (pg_has_role(to_regrole('reports_worker')::oid, 'MEMBER') AND NOT coalesce(pg_has_role(to_regrole('reports_api')::oid, 'MEMBER'), false))
EXECUTE FUNCTION public.refuse_untrue_event_by_worker();

-- On download_links:
-- A link begins now and lives for a day at most; LINK_MAX_SECONDS allows no longer one. A day is also what the API's clock may be wrong by.
ALTER TABLE download_links ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS download_links_api_select ON download_links;
DROP POLICY IF EXISTS download_links_api_insert ON download_links;
DROP POLICY IF EXISTS download_links_api_update ON download_links;
DROP POLICY IF EXISTS download_links_worker_select ON download_links;
DROP POLICY IF EXISTS download_links_worker_delete ON download_links;
CREATE POLICY download_links_api_select ON download_links FOR SELECT TO reports_api USING (true);
CREATE POLICY download_links_api_insert ON download_links FOR INSERT TO reports_api WITH CHECK (
	revoked_at IS NULL AND expires_at <= created_at + interval '24 hours'
	AND created_at BETWEEN now() - interval '24 hours' AND now() + interval '24 hours'
);
-- A revoked link stays revoked.
CREATE POLICY download_links_api_update ON download_links FOR UPDATE TO reports_api USING (true) WITH CHECK (revoked_at IS NOT NULL);
CREATE POLICY download_links_worker_select ON download_links FOR SELECT TO reports_worker USING (true);
CREATE POLICY download_links_worker_delete ON download_links FOR DELETE TO reports_worker USING (expires_at < now());

-- On webhooks:
ALTER TABLE webhooks ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS webhooks_api_select ON webhooks;
DROP POLICY IF EXISTS webhooks_api_insert ON webhooks;
DROP POLICY IF EXISTS webhooks_api_update ON webhooks;
DROP POLICY IF EXISTS webhooks_worker_select ON webhooks;
DROP POLICY IF EXISTS webhooks_worker_update ON webhooks;
DROP POLICY IF EXISTS webhooks_worker_delete ON webhooks;
CREATE POLICY webhooks_api_select ON webhooks FOR SELECT TO reports_api USING (true);
-- Our own users are looked up, so that no authorities are stored for them.
CREATE POLICY webhooks_api_insert ON webhooks FOR INSERT TO reports_api WITH CHECK (
	status = 'ACTIVE' AND deleted_at IS NULL AND revision = 1
	AND created_at = now()::timestamptz(3) AND updated_at = created_at AND confirmed_at = created_at
	AND previous_secret IS NULL AND earlier_secrets = '[]' AND tried_at IS NULL AND hold IS NULL AND unreadable_since IS NULL
	AND rests_until IS NULL AND begun_at IS NULL AND failures_in_a_row = 0 AND failing_since IS NULL AND last_delivered_at IS NULL
	AND (NOT starts_with(owner, 'basic:') OR owner_authorities = '{}')
);
CREATE POLICY webhooks_api_update ON webhooks FOR UPDATE TO reports_api USING (true) WITH CHECK (NOT starts_with(owner, 'basic:') OR owner_authorities = '{}');
CREATE POLICY webhooks_worker_select ON webhooks FOR SELECT TO reports_worker USING (true);
CREATE POLICY webhooks_worker_update ON webhooks FOR UPDATE TO reports_worker USING (true) WITH CHECK (true);
CREATE POLICY webhooks_worker_delete ON webhooks FOR DELETE TO reports_worker USING (deleted_at IS NOT NULL);
DROP TRIGGER IF EXISTS webhooks_date_owner_confirmation ON webhooks;
CREATE TRIGGER webhooks_date_owner_confirmation BEFORE UPDATE OF owner_authorities, confirmed_at ON webhooks FOR EACH ROW
WHEN (pg_has_role(to_regrole('reports_api')::oid, 'MEMBER') AND NOT coalesce(pg_has_role(to_regrole('reports_worker')::oid, 'MEMBER'), false))
EXECUTE FUNCTION public.date_owner_confirmation();
DROP TRIGGER IF EXISTS webhooks_refuse_change_by_api ON webhooks;
CREATE TRIGGER webhooks_refuse_change_by_api BEFORE UPDATE ON webhooks FOR EACH ROW
WHEN (
	pg_has_role(to_regrole('reports_api')::oid, 'MEMBER') AND NOT coalesce(pg_has_role(to_regrole('reports_worker')::oid, 'MEMBER'), false) AND (
		OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at
		OR NEW.revision NOT IN (OLD.revision, OLD.revision + 1)
		OR NEW.failures_in_a_row NOT IN (OLD.failures_in_a_row, 0)
		OR NEW.failing_since IS DISTINCT FROM OLD.failing_since AND NEW.failing_since IS NOT NULL
		OR NEW.paused_because IS DISTINCT FROM OLD.paused_because AND NEW.paused_because <> 'REQUESTED'
	)
) EXECUTE FUNCTION public.refuse_change('reports_api may not restore a webhook, count failures, set another revision or pause in the service''s name');
DROP TRIGGER IF EXISTS webhooks_refuse_change_by_worker ON webhooks;
CREATE TRIGGER webhooks_refuse_change_by_worker BEFORE UPDATE OF status, paused_because ON webhooks FOR EACH ROW
WHEN (
	pg_has_role(to_regrole('reports_worker')::oid, 'MEMBER') AND NOT coalesce(pg_has_role(to_regrole('reports_api')::oid, 'MEMBER'), false) AND (NEW.status, NEW.paused_because) IS DISTINCT FROM (OLD.status, OLD.paused_because)
	AND NOT (OLD.status = 'ACTIVE' AND NEW.status = 'PAUSED' AND NEW.paused_because <> 'REQUESTED')
) EXECUTE FUNCTION public.refuse_change('reports_worker may pause a webhook in the service''s name, and not resume it');

-- On webhook_deliveries:
-- Deliveries of events are added by a trigger on the events, as the owner of the tables. The API adds tests, and queues what there is again.
ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS webhook_deliveries_api_select ON webhook_deliveries;
DROP POLICY IF EXISTS webhook_deliveries_api_insert ON webhook_deliveries;
DROP POLICY IF EXISTS webhook_deliveries_api_update ON webhook_deliveries;
DROP POLICY IF EXISTS webhook_deliveries_worker ON webhook_deliveries;
CREATE POLICY webhook_deliveries_api_select ON webhook_deliveries FOR SELECT TO reports_api USING (true);
CREATE POLICY webhook_deliveries_api_insert ON webhook_deliveries FOR INSERT TO reports_api WITH CHECK (
	type = 'webhook.test' AND report_id IS NULL AND data = jsonb_build_object('webhookId', webhook_id)
	AND status = 'PENDING' AND tries = 0 AND postponed = 0 AND created_at = now()::timestamptz(3) AND ended_at IS NULL
	AND hold IS NULL AND held_until IS NULL AND last_status IS NULL AND last_error_code IS NULL AND duration_ms IS NULL
);
CREATE POLICY webhook_deliveries_api_update ON webhook_deliveries FOR UPDATE TO reports_api USING (true) WITH CHECK (status = 'PENDING' AND tries = 0 AND ended_at IS NULL);
CREATE POLICY webhook_deliveries_worker ON webhook_deliveries TO reports_worker USING (true) WITH CHECK (true);

-- On report_schedules:
ALTER TABLE report_schedules ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS report_schedules_api_select ON report_schedules;
DROP POLICY IF EXISTS report_schedules_api_insert ON report_schedules;
DROP POLICY IF EXISTS report_schedules_api_update ON report_schedules;
DROP POLICY IF EXISTS report_schedules_worker_select ON report_schedules;
DROP POLICY IF EXISTS report_schedules_worker_update ON report_schedules;
DROP POLICY IF EXISTS report_schedules_worker_delete ON report_schedules;
CREATE POLICY report_schedules_api_select ON report_schedules FOR SELECT TO reports_api USING (true);
CREATE POLICY report_schedules_api_insert ON report_schedules FOR INSERT TO reports_api WITH CHECK (
	status = 'ACTIVE' AND deleted_at IS NULL AND paused_because IS NULL AND held_for IS NULL AND fires = 0 AND revision = 1
	AND created_at = now()::timestamptz(3) AND updated_at = created_at AND confirmed_at = created_at AND failures_from = created_at
);
CREATE POLICY report_schedules_api_update ON report_schedules FOR UPDATE TO reports_api USING (true) WITH CHECK (true);
CREATE POLICY report_schedules_worker_select ON report_schedules FOR SELECT TO reports_worker USING (true);
CREATE POLICY report_schedules_worker_update ON report_schedules FOR UPDATE TO reports_worker USING (true) WITH CHECK (true);
CREATE POLICY report_schedules_worker_delete ON report_schedules FOR DELETE TO reports_worker USING (deleted_at IS NOT NULL);
DROP TRIGGER IF EXISTS report_schedules_refuse_change_by_api ON report_schedules;
CREATE TRIGGER report_schedules_refuse_change_by_api BEFORE UPDATE ON report_schedules FOR EACH ROW
WHEN (
	pg_has_role(to_regrole('reports_api')::oid, 'MEMBER') AND NOT coalesce(pg_has_role(to_regrole('reports_worker')::oid, 'MEMBER'), false) AND (
		OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at
		OR NEW.revision NOT IN (OLD.revision, OLD.revision + 1)
		OR NEW.paused_because IS DISTINCT FROM OLD.paused_because AND NEW.paused_because IS NOT NULL
		-- Times are rounded to milliseconds.
		OR NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at AND NEW.confirmed_at > clock_timestamp() + interval '1 second'
		OR NEW.failures_from IS DISTINCT FROM OLD.failures_from AND NEW.failures_from > clock_timestamp() + interval '1 second'
	)
) EXECUTE FUNCTION public.refuse_change('reports_api may not restore a schedule, set another revision, pause in the service''s name or confirm for the future');
DROP TRIGGER IF EXISTS report_schedules_refuse_change_by_worker ON report_schedules;
CREATE TRIGGER report_schedules_refuse_change_by_worker BEFORE UPDATE OF status, paused_because, fires ON report_schedules FOR EACH ROW
WHEN (
	pg_has_role(to_regrole('reports_worker')::oid, 'MEMBER') AND NOT coalesce(pg_has_role(to_regrole('reports_api')::oid, 'MEMBER'), false) AND (
		NEW.status IS DISTINCT FROM OLD.status AND (OLD.status <> 'ACTIVE' OR OLD.deleted_at IS NOT NULL) OR NEW.fires < OLD.fires
	)
) EXECUTE FUNCTION public.refuse_change('reports_worker may pause and end an active schedule, and not resume it or count its runs down');

-- On report_schedule_fires:
-- A fire of the API is a start that somebody asked for.
ALTER TABLE report_schedule_fires ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS report_schedule_fires_api_select ON report_schedule_fires;
DROP POLICY IF EXISTS report_schedule_fires_api_insert ON report_schedule_fires;
DROP POLICY IF EXISTS report_schedule_fires_worker ON report_schedule_fires;
CREATE POLICY report_schedule_fires_api_select ON report_schedule_fires FOR SELECT TO reports_api USING (true);
CREATE POLICY report_schedule_fires_api_insert ON report_schedule_fires FOR INSERT TO reports_api WITH CHECK (
	outcome = 'STARTED' AND because IS NULL AND count = 1 AND EXISTS (
		SELECT FROM public.reports AS report
		WHERE report.id = report_id AND report.schedule_id = report_schedule_fires.schedule_id AND report.created_at = scheduled_for
	)
);
CREATE POLICY report_schedule_fires_worker ON report_schedule_fires TO reports_worker USING (true) WITH CHECK (true);

-- On file_removals:
ALTER TABLE file_removals ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS file_removals_api ON file_removals;
DROP POLICY IF EXISTS file_removals_worker ON file_removals;
CREATE POLICY file_removals_api ON file_removals TO reports_api USING (reason = 'deleted') WITH CHECK (reason = 'deleted');
CREATE POLICY file_removals_worker ON file_removals TO reports_worker USING (true) WITH CHECK (true);

-- Guards of collections, written by `pnpm generate role-grants`:
-- On proxies:
ALTER TABLE proxies ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS register_api ON proxies;
DROP POLICY IF EXISTS register_worker_select ON proxies;
DROP POLICY IF EXISTS register_worker_delete ON proxies;
CREATE POLICY register_api ON proxies TO reports_api USING (true) WITH CHECK (true);
CREATE POLICY register_worker_select ON proxies FOR SELECT TO reports_worker USING (true);
CREATE POLICY register_worker_delete ON proxies FOR DELETE TO reports_worker USING (deleted_at IS NOT NULL);

-- On domains:
ALTER TABLE domains ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS register_api ON domains;
DROP POLICY IF EXISTS register_worker_select ON domains;
DROP POLICY IF EXISTS register_worker_delete ON domains;
CREATE POLICY register_api ON domains TO reports_api USING (true) WITH CHECK (true);
CREATE POLICY register_worker_select ON domains FOR SELECT TO reports_worker USING (true);
CREATE POLICY register_worker_delete ON domains FOR DELETE TO reports_worker USING (deleted_at IS NOT NULL);
