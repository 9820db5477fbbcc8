import { booleanText, integerText } from "@reports/runtime";

export const previewSettings = {
  previewLimitPerMinute: {
    name: "PREVIEW_LIMIT_PER_MINUTE",
    schema: integerText(0, 100_000),
    default: 60,
    description: "Previews of report rows per minute of one principal at each API instance; 0 for no limit.",
  },
  previewConnections: {
    name: "PREVIEW_CONNECTIONS",
    schema: integerText(1, 100),
    default: 2,
    description:
      "Postgres connections of each API instance to each source of report rows, and to DATABASE_URL, that are reserved for previews and estimates; opened when they are needed.",
  },
  previewObjectRows: {
    name: "PREVIEW_OBJECT_ROWS",
    schema: booleanText(),
    default: true,
    description:
      "Whether types of REPORT_TYPES whose rows are made by a function have previews. The API then runs the function, in a process per preview, with the variables of REPORT_TYPES_ENV_PREFIX.",
  },
  previewTimeoutSeconds: {
    name: "PREVIEW_TIMEOUT_SECONDS",
    schema: integerText(1, 60),
    default: 5,
    description:
      "How long a preview may take before it is stopped, in seconds. Before that, it waits for a connection for at most 2 × (this value + 1) seconds.",
  },
} as const;
