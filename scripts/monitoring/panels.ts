type Unit = "short" | "s" | "bytes" | "Bps" | "percentunit" | "reqps" | "none";

export interface PanelQuery {
  /** PromQL with two placeholders: `$by` for the label matchers of the deployment, `$rate` for the range of a rate. */
  readonly expr: string;
  /** Legend of a series. Grafana replaces `{{label}}` by the value of that label. */
  readonly legend: string;
}

export interface DashboardPanel {
  readonly title: string;
  readonly unit: Unit;
  readonly queries: readonly PanelQuery[];
}

export interface DashboardRow {
  readonly title: string;
  readonly panels: readonly DashboardPanel[];
}

const panel = (
  title: string,
  unit: Unit,
  ...queries: readonly (readonly [expr: string, legend: string])[]
): DashboardPanel => ({ title, unit, queries: queries.map(([expr, legend]) => ({ expr, legend })) });

const rate = (counter: string): string => `rate(${counter}{$by}[$rate])`;

const legendOf = (metric: string, labels: readonly string[]): string =>
  labels.length === 0
    ? metric
        .replace(/^reports?_/, "")
        .replace(/_(?:total|seconds)$/, "")
        .replaceAll("_", " ")
    : labels.map((label) => `{{${label}}}`).join(" ");

const perMinute = (counter: string, ...labels: readonly string[]): readonly [string, string] => [
  labels.length === 0 ? `60 * sum(${rate(counter)})` : `60 * sum by (${labels.join(", ")}) (${rate(counter)})`,
  legendOf(counter, labels),
];

/** Puts a name in front of a legend, because the queries of a panel would otherwise have the same legend. */
const named = (name: string, [expr, legend]: readonly [string, string]): readonly [string, string] => [
  expr,
  `${name} ${legend}`,
];

const percentiles = (histogram: string): readonly [string, string][] =>
  [50, 95].map((percent) => [
    `histogram_quantile(${percent / 100}, sum by (le) (${rate(`${histogram}_bucket`)}))`,
    `p${percent}`,
  ]);

/** Returns query and legend of the highest value among the processes. All processes report the same state, but read it at different times. */
const highest = (gauge: string, ...labels: readonly string[]): readonly [string, string] => [
  labels.length === 0 ? `max(${gauge}{$by})` : `max by (${labels.join(", ")}) (${gauge}{$by})`,
  legendOf(gauge, labels),
];

const each = (gauge: string, legend = "{{instance}}"): readonly [string, string] => [`${gauge}{$by}`, legend];

export const dashboardRows: readonly DashboardRow[] = [
  {
    title: "Reports",
    panels: [
      panel("Started per minute", "short", perMinute("reports_created_total", "type")),
      panel("Ended per minute", "short", perMinute("reports_finished_total", "outcome")),
      panel("Wait until the first attempt", "s", ...percentiles("report_wait_seconds")),
      panel("Run time of attempts", "s", ...percentiles("report_run_seconds")),
      panel(
        "Attempts per minute",
        "short",
        perMinute("report_attempts_total", "outcome"),
        perMinute("report_attempts_fenced_total"),
      ),
      panel("Rows per minute", "short", perMinute("report_rows_total", "format")),
      panel("Bytes per second", "Bps", [`sum by (format) (${rate("report_bytes_total")})`, "{{format}}"]),
    ],
  },
  {
    title: "Queue and workers",
    panels: [
      panel("Jobs", "short", highest("report_queue_jobs", "lane", "state")),
      panel("Oldest waiting job", "s", highest("report_queue_oldest_wait_seconds", "lane")),
      panel("Workers", "short", highest("reports_workers_alive"), highest("report_queue_workers", "lane")),
      panel(
        "Reports that wait for a worker",
        "short",
        named("requeued", highest("reports_awaiting_worker", "type", "cause")),
        named("unserved", highest("report_types_unserved", "type")),
        named("unusable", highest("report_type_unusable", "type", "reason")),
        named("unreachable", highest("report_source_unreachable", "source")),
      ),
      panel("Workers that take no reports", "short", each("report_worker_resting", "{{instance}} {{part}}")),
      panel(
        "Recovered per minute",
        "short",
        perMinute("reports_rescued_total", "result"),
        perMinute("reports_handed_back_total", "type", "cause"),
        perMinute("reports_queue_pools_unlocked_total"),
      ),
      panel("Age of the last heartbeat", "s", each("reports_worker_heartbeat_age_seconds")),
    ],
  },
  {
    title: "API",
    panels: [
      panel("Requests per second", "reqps", [`sum by (status) (${rate("reports_http_requests_total")})`, "{{status}}"]),
      panel("Slowest routes (95th percentile)", "s", [
        `topk(10, histogram_quantile(0.95, sum by (le, route) (${rate("reports_http_request_duration_seconds_bucket")})))`,
        "{{route}}",
      ]),
      panel(
        "Lists and previews",
        "short",
        each("reports_open_lists", "lists {{instance}}"),
        each("reports_waiting_lists", "waiting lists {{instance}}"),
        each("reports_open_previews", "previews {{instance}}"),
        each("reports_waiting_previews", "waiting previews {{instance}}"),
      ),
      panel(
        "Lists and previews without a response, per minute",
        "short",
        named("list", perMinute("reports_lists_unanswered_total", "reason")),
        named("preview", perMinute("reports_previews_unanswered_total", "reason")),
      ),
      panel(
        "Callers that follow reports",
        "short",
        each("report_watches"),
        each("report_watches_limit", "limit {{instance}}"),
        each("report_changes_live", "notified {{instance}}"),
      ),
      panel("Downloads", "short", each("reports_open_downloads")),
      panel("Connections", "short", each("reports_http_connections")),
      panel(
        "Closed or refused connections per minute",
        "short",
        perMinute("reports_http_connections_refused_total", "reason"),
        perMinute("reports_http_readers_dropped_total"),
      ),
      panel("Unread responses", "bytes", each("reports_http_unread_bytes")),
      panel(
        "Credentials",
        "short",
        perMinute("reports_auth_passwords_checked_total"),
        perMinute("reports_auth_key_set_failures_total"),
        highest("reports_issuer_keys_state", "state"),
      ),
    ],
  },
  {
    title: "Postgres",
    panels: [
      panel(
        "Calls",
        "short",
        each("reports_open_database_calls", "open {{instance}}"),
        each("reports_waiting_database_calls", "waiting {{instance}}"),
      ),
      panel("Oldest snapshot", "s", highest("reports_postgres_oldest_snapshot_seconds")),
      panel("Failed reads of metrics per minute", "short", perMinute("reports_metrics_read_failures_total", "metric")),
    ],
  },
  {
    title: "Files",
    panels: [
      panel("State of the file store", "none", highest("reports_store_state", "state")),
      panel(
        "Differences between files and records",
        "short",
        named("found", highest("reports_file_mismatches", "kind")),
        highest("reports_file_mismatches_refused"),
        named("scheduled", highest("reports_file_removals", "reason")),
        highest("reports_reconciler_files", "action"),
      ),
      panel("Overdue removals", "s", highest("reports_file_removals_overdue_seconds")),
      panel(
        "Repaired and removed per minute",
        "short",
        named("reconciler", perMinute("reports_file_mismatches_mended_total", "what")),
        named("retention", perMinute("reports_retired_total", "what")),
      ),
      panel(
        "Verified per minute",
        "short",
        named("verified", perMinute("reports_files_verified_total", "property")),
        named("mismatch", perMinute("reports_file_mismatches_seen_total", "property")),
        named("damaged", perMinute("reports_files_damaged_total", "property")),
        perMinute("reports_files_unreadable_total"),
      ),
      panel("Failed maintenance per minute", "short", perMinute("reports_maintenance_failures_total", "work")),
      panel(
        "Since the last maintenance",
        "s",
        ["time() - max by (work) (reports_maintenance_last_success_timestamp_seconds{$by} > 0)", "{{work}} succeeded"],
        ["time() - max by (work) (reports_maintenance_last_failure_timestamp_seconds{$by} > 0)", "{{work}} failed"],
      ),
    ],
  },
  {
    title: "Schedules and webhooks",
    panels: [
      panel(
        "Runs of schedules per minute",
        "short",
        perMinute("reports_schedule_fires_total", "outcome", "because"),
        perMinute("reports_schedule_fire_failures_total"),
      ),
      panel("Delay of schedules", "s", ...percentiles("reports_schedule_fire_delay_seconds")),
      panel("Schedules paused per minute", "short", perMinute("reports_schedules_paused_total", "because")),
      panel("Schedules that do not fit", "short", highest("report_schedules_unfit", "because")),
      panel("Attempts of deliveries per minute", "short", perMinute("reports_webhook_tries_total", "result")),
      panel("Response time of receivers", "s", ...percentiles("reports_webhook_try_seconds")),
      panel(
        "Deliveries",
        "short",
        highest("reports_webhook_deliveries_waiting"),
        highest("reports_webhook_events_dropped"),
      ),
      panel("Overdue deliveries", "s", highest("reports_webhook_overdue_seconds")),
      panel(
        "Webhooks with a problem",
        "short",
        highest("reports_webhooks_paused_by_service"),
        highest("reports_webhooks_unreadable"),
        highest("reports_webhook_key_unheld"),
        highest("reports_webhook_secrets_under_other_keys"),
      ),
    ],
  },
  {
    title: "Processes",
    panels: [
      panel("Versions", "short", ["count by (version, revision) (report_build_info{$by})", "{{version}} {{revision}}"]),
      panel("Processors in use", "short", [rate("process_cpu_seconds_total"), "{{instance}}"]),
      panel("Memory", "bytes", each("process_resident_memory_bytes")),
      panel("Delay of the event loop (99th percentile)", "s", each("nodejs_eventloop_lag_p99_seconds")),
    ],
  },
];
