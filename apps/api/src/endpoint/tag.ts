export interface Tag {
  readonly name: string;
  readonly description: string;
}

export const tags = {
  reports: { name: "Reports", description: "Starting reports, following them, and downloading their files." },
  reportTypes: { name: "Report types", description: "Which reports there are, and what each of them takes." },
  queue: { name: "Queue", description: "What waits and runs, and which workers there are, for administrators." },
  webhooks: { name: "Webhooks", description: "Addresses that are told of events, and what was sent to them." },
  schedules: { name: "Report schedules", description: "What starts reports by itself, and what came of it." },
  tokens: { name: "Tokens", description: "Bearer tokens for callers with a name and a password." },
  problems: { name: "Problems", description: "What each type of problem means, and what to do about it." },
  operations: { name: "Operations", description: "Health and metrics, for the platform." },
  description: { name: "Description", description: "This description, for programs and for people." },
} as const satisfies Readonly<Record<string, Tag>>;
