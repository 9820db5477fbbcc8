#!/bin/sh
# Prepares an empty Postgres as its superuser. Creates the owner of the tables, which only `migrate` and other commands use, and one user per
# process with the rights of docs/reference/database-roles.md. The image of Postgres runs it once, when its volume is empty. By hand:
#   PGHOST=… PGUSER=postgres OWNER_PASSWORD=… API_PASSWORD=… WORKER_PASSWORD=… sh deploy/postgres/create-users.sh
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-${PGUSER:-postgres}}" --dbname postgres <<'SQL'
\getenv owner_password OWNER_PASSWORD
\getenv api_password API_PASSWORD
\getenv worker_password WORKER_PASSWORD
-- Statements that fail, are slow, or define something may be logged, and these hold passwords.
SET log_statement = 'none';
SET log_min_duration_statement = -1;
SET log_min_error_statement = 'panic';
-- Sees how old the oldest snapshot is, which is a metric.
CREATE ROLE gateway_owner LOGIN PASSWORD :'owner_password' IN ROLE pg_read_all_stats;
-- What they may do `database-roles` grants, after each migration.
CREATE ROLE reports_api NOLOGIN;
CREATE ROLE reports_worker NOLOGIN;
CREATE ROLE gateway_api LOGIN PASSWORD :'api_password' IN ROLE reports_api;
CREATE ROLE gateway_worker LOGIN PASSWORD :'worker_password' IN ROLE reports_worker;
CREATE DATABASE reports OWNER gateway_owner;
REVOKE CONNECT, TEMPORARY ON DATABASE reports FROM PUBLIC;
GRANT CONNECT ON DATABASE reports TO reports_api, reports_worker;
\connect reports
-- Files in the database: only a superuser may close them.
DO $$
DECLARE large_object_function regprocedure;
BEGIN
	FOR large_object_function IN
		SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND (proname LIKE 'lo\_%' OR proname IN ('loread', 'lowrite'))
	LOOP
		EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', large_object_function);
	END LOOP;
END $$;
SQL
