import { webhookFields, type WebhookInput } from "@reports/client";
import { labelIn, valuesIn } from "../parts/field-values.ts";

/** The fields of a webhook that its form shows by hand. The values of others are those of their declarations. */
export const manualFields = ["url", "events", "reportTypes", "of"] as const;

/** The labels of fields that show their messages. */
export const webhookLabel = labelIn(webhookFields, ["of"]);

const firstEvents = "report.succeeded,report.failed";

/** The webhook that a fragment describes. What is wrong in it is sent, and refused at its field. */
export function inputOf(query: URLSearchParams): WebhookInput {
  const reportTypes = listOf(query.get("reportTypes") ?? "");
  return {
    ...valuesIn<WebhookInput>(query, webhookFields, manualFields),
    url: (query.get("url") ?? "").trim(),
    events: listOf(query.get("events") ?? firstEvents),
    reportTypes: reportTypes.length === 0 ? null : reportTypes,
    of: query.get("of") === "ALL" ? "ALL" : "OWN",
  };
}

function listOf(text: string): readonly string[] {
  return text.split(",").filter((one) => one !== "");
}
