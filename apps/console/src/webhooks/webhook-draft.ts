import { webhookFields, type Webhook, type WebhookInput } from "@reports/client";
import { createFieldLabelLookup, readFieldValues } from "../parts/field-values.ts";

export const nonGenericWebhookFields = ["url", "events", "reportTypes", "of"] as const;

export const findWebhookFieldLabel = createFieldLabelLookup(webhookFields, ["of"]);

const defaultEvents = "report.succeeded,report.failed";

export function readWebhookInput(query: URLSearchParams): WebhookInput {
  const reportTypes = splitList(query.get("reportTypes") ?? "");
  return {
    ...readFieldValues<WebhookInput>(query, webhookFields, nonGenericWebhookFields),
    url: (query.get("url") ?? "").trim(),
    events: splitList(query.get("events") ?? defaultEvents),
    reportTypes: reportTypes.length === 0 ? null : reportTypes,
    of: query.get("of") === "ALL" ? "ALL" : "OWN",
  };
}

function splitList(text: string): readonly string[] {
  return text.split(",").filter((one) => one !== "");
}

export function buildWebhookQuery(
  { url, events, reportTypes, of }: Webhook,
  changes: URLSearchParams,
): URLSearchParams {
  const stored = { url, events: events.join(","), reportTypes: (reportTypes ?? []).join(","), of };
  return new URLSearchParams([...Object.entries(stored).filter(([name]) => !changes.has(name)), ...changes]);
}
