-- Two numbers of what other sessions do, for roles that may not look at them. As the owner, who sees all where it is a superuser or holds
-- pg_read_all_stats, and its own sessions otherwise.
CREATE FUNCTION "public"."report_oldest_snapshot_ms"() RETURNS double precision LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)) * 1000, 0)::double precision
	FROM pg_stat_activity WHERE backend_xmin IS NOT NULL AND datname = current_database()
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION "public"."report_oldest_snapshot_ms"() FROM PUBLIC;--> statement-breakpoint
-- Of a replica that has replayed all that it received: when its primary was heard last. Null elsewhere.
CREATE FUNCTION "public"."report_primary_heard_at"() RETURNS timestamp with time zone LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce(last_msg_send_time, clock_timestamp() - nullif(current_setting('wal_receiver_timeout')::interval, interval '0'))
	FROM pg_stat_wal_receiver
	WHERE pid IS NOT NULL AND coalesce(status, 'streaming') = 'streaming' AND pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn()
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION "public"."report_primary_heard_at"() FROM PUBLIC;
