import type { Report, ReportSchedule, Webhook, WebhookDelivery } from "@reports/client";
import { CommandError, usageError } from "../command-error.ts";
import type { CommandContext } from "../command-context.ts";
import { toSafeText } from "../output/to-safe-text.ts";

/** How many of the newest records are searched for an ID: one page of a list. */
const searched = 200;

/** The end of an ID: at least its last eight characters. */
const idEndPattern = /^[0-9a-f-]{8,35}$/i;

/** Returns the ID of a report that is given as its ID, as the end of its ID, or as `@last`, the caller's newest report. */
export async function resolveReportId(context: CommandContext, given: string): Promise<string> {
  const { reports } = context.gateway();
  const { signal } = context;
  if (given === "@last") {
    for await (const { id } of reports.list({ requestedBy: "me", limit: 1 }, { signal })) return id;
    throw new CommandError("gone", "@last is your newest report, and you have none.");
  }
  return resolveIdEnding(given, "reports", reports.list({ limit: searched }, { signal }), formatReportCandidate);
}

/** Returns the ID of a schedule that is given as its ID or as the end of its ID. */
export async function resolveScheduleId(context: CommandContext, given: string): Promise<string> {
  const newest = context.gateway().schedules.list({ limit: searched }, { signal: context.signal });
  return resolveIdEnding(given, "schedules", newest, formatScheduleCandidate);
}

export async function resolveWebhookId(context: CommandContext, given: string): Promise<string> {
  const newest = context.gateway().webhooks.list({ limit: searched }, { signal: context.signal });
  return resolveIdEnding(given, "webhooks", newest, formatWebhookCandidate);
}

export async function resolveFileId(context: CommandContext, reportId: string, given: string): Promise<string> {
  const list = idEndPattern.test(given) ? await context.gateway().reports.files(reportId).list(context) : [];
  return resolveIdEnding(given, "files", list, ({ format }) => format);
}

export async function resolveEventId(context: CommandContext, webhookId: string, given: string): Promise<string> {
  const { signal } = context;
  const deliveries = context.gateway().webhooks.deliveries(webhookId, { limit: searched }, { signal });
  return resolveIdEnding(given, "events", namesOfEvents(deliveries), ({ type }) => type);
}

async function* namesOfEvents(deliveries: AsyncIterable<WebhookDelivery>) {
  for await (const { eventId, type } of deliveries) yield { id: eventId, type };
}

/** Returns the only one of the newest IDs that ends with `given`. Throws a CommandError for none or several. Returns any other text unchanged, such as a whole ID. */
export async function resolveIdEnding<Item extends { readonly id: string }>(
  given: string,
  what: string,
  newest: AsyncIterable<Item> | Iterable<Item>,
  describe: (item: Item) => string,
): Promise<string> {
  const end = given.toLowerCase();
  if (!idEndPattern.test(end)) return given;
  const found: Item[] = [];
  let count = 0;
  for await (const item of newest) {
    if (item.id.endsWith(end)) found.push(item);
    if (++count === searched) break;
  }
  const [only] = found;
  if (only === undefined)
    throw new CommandError("gone", `No id of the newest ${searched} ${what} ends with ${end}. Give the whole id.`);
  if (found.length === 1) return only.id;
  const candidates = found.map((item) => `\n  ${item.id}  ${toSafeText(describe(item))}`);
  throw usageError(
    `The ids of ${found.length} ${what} end with ${end}. Give more characters, or the whole id:${candidates.join("")}`,
  );
}

export function formatReportCandidate({ reportType, status, createdAt, title }: Report): string {
  return `${reportType}  ${status}  ${createdAt}  ${title}`;
}

export function formatScheduleCandidate({ name }: ReportSchedule): string {
  return name;
}

export function formatWebhookCandidate({ url }: Webhook): string {
  return url;
}
