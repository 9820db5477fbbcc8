-- Each gives one number that is nobody's secret. Roles of a deployment's own, and ours before `pnpm database-roles` is run again, read reports' rows and metrics too.
GRANT EXECUTE ON FUNCTION "public"."report_oldest_snapshot_ms"(), "public"."report_primary_heard_at"() TO PUBLIC;
