import { webhookFields, type WebhookInput } from "@reports/client";
import { labelIn, valuesIn } from "../parts/field-values.ts";

/** The fields that the form shows with its own components. DerivedFields shows the other fields from their declarations. */
export const nonDerivedFields = ["url", "events", "reportTypes", "of"] as const;

/** Returns the label of a field that shows its own error, or undefined. */
export const webhookLabel = labelIn(webhookFields, ["of"]);

const firstEvents = "report.succeeded,report.failed";

/** Reads the webhook from the URL fragment. Invalid values are sent, so that the gateway reports them at their field. */
export function inputOf(query: URLSearchParams): WebhookInput {
  const reportTypes = listOf(query.get("reportTypes") ?? "");
  return {
    ...valuesIn<WebhookInput>(query, webhookFields, nonDerivedFields),
    url: (query.get("url") ?? "").trim(),
    events: listOf(query.get("events") ?? firstEvents),
    reportTypes: reportTypes.length === 0 ? null : reportTypes,
    of: query.get("of") === "ALL" ? "ALL" : "OWN",
  };
}

function listOf(text: string): readonly string[] {
  return text.split(",").filter((one) => one !== "");
}
