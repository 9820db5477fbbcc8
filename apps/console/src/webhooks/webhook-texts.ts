import { webhookEventTypes, type Webhook, type WebhookDelivery } from "@reports/client";
import type { LabelledText } from "../parts/changed-fields.ts";
import { formatTimeOmittingToday } from "../parts/time-text.ts";
import { toSentenceCase } from "../parts/text.ts";

const eventLabels: Readonly<Record<string, string>> = {
  "report.expired": "File expired",
  "schedule.paused": "Schedule paused by the service",
  "webhook.test": "Test",
};

export const eventTypeChoices = webhookEventTypes.map((value) => ({ value, label: formatEventType(value) }));

export function formatEventType(type: string): string {
  return eventLabels[type] ?? toSentenceCase(type.replaceAll(".", "_"));
}

export function formatFailingSince(failingSince: string): string {
  return `Failing since ${formatTimeOmittingToday(failingSince, Date.now())}`;
}

export function findPauseTexts({ pausedBecause }: Webhook): readonly [why: string, what: string] | undefined {
  return pausedBecause === null ? undefined : pauseTextsByReason[pausedBecause.code];
}

const pauseTextsByReason: Readonly<Record<string, readonly [why: string, what: string]>> = {
  GONE: [
    "The receiver answered 410: it no longer accepts events.",
    "Delete the webhook, or resume it once the receiver accepts events again.",
  ],
  FAILING: [
    "No event could be delivered for five days.",
    "Once the receiver works again, resume the webhook: waiting events are then sent.",
  ],
  OWNER_NOT_SEEN: [
    "For too long its owner has sent no request with the authorities for it.",
    "Its owner has to resume it, to confirm that it is still wanted.",
  ],
  SECRET_UNREADABLE: [
    "The service did not have the key of its secret.",
    "Ask the operators for the key, and resume it. If the key is lost, rotate the secret first.",
  ],
};

export function formatDeliveryResponse({ lastErrorCode, lastStatus, durationMs }: WebhookDelivery): string {
  const answered = lastStatus === null ? "" : `answered ${lastStatus}`;
  if (lastErrorCode === null)
    return lastStatus === null || durationMs === null ? answered : `${answered}, ${durationMs}\u00a0ms`;
  return errorTexts[lastErrorCode] ?? (answered || lastErrorCode);
}

const errorTexts: Readonly<Record<string, string>> = {
  REDIRECTED: "answered with a redirect, which is not followed",
  TIMED_OUT: "did not answer in time",
  ADDRESS_FORBIDDEN: "its address is not allowed",
  NAME_NOT_FOUND: "host name not found",
  TLS_FAILED: "its certificate is not trusted",
  CONNECTION_FAILED: "cannot be reached",
  TOO_MANY: "10,000 events were waiting already",
  AUTHORITY_LOST: "its owner may no longer see the report",
};

export function listWebhookTexts({ url, events, reportTypes, of, status }: Webhook): readonly LabelledText[] {
  return [
    ["Address", url],
    ["Events", events.map(formatEventType).join(", ")],
    ["Report types", reportTypes?.join(", ") ?? "All"],
    ["Whose reports", of === "ALL" ? "Everybody's" : "Its owner's"],
    ["State", toSentenceCase(status)],
  ];
}
