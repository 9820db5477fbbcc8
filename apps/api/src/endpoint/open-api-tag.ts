export interface OpenApiTag {
  readonly name: string;
  readonly description: string;
}

export const openApiTags = {
  reports: { name: "Reports", description: "Starting reports, following them, and downloading their files." },
  reportTypes: {
    name: "Report types",
    description: "The catalogue of report types with their filters, columns and formats.",
  },
  queue: { name: "Queue", description: "Waiting and running reports per lane, and the workers. For administrators." },
  webhooks: {
    name: "Webhooks",
    description: "Addresses that receive events as signed requests, and their deliveries.",
  },
  schedules: { name: "Report schedules", description: "Schedules that start reports, and their runs." },
  tokens: { name: "Tokens", description: "Bearer tokens for callers with a name and a password." },
  problems: { name: "Problems", description: "The meaning and the remedy of each type of problem." },
  operations: { name: "Operations", description: "Health and metrics, for the platform." },
  description: { name: "Description", description: "This description, for programs and for people." },
} as const satisfies Readonly<Record<string, OpenApiTag>>;
