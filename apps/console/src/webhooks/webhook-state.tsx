import type { Webhook, WebhookDelivery } from "@reports/client";
import { Time } from "../parts/time.tsx";
import { State, type Tone } from "../parts/state.tsx";
import { toSentenceCase } from "../parts/text.ts";
import { formatFailingSince, findPauseTexts, formatDeliveryResponse } from "./webhook-texts.ts";

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  if (webhook.status === "ACTIVE") return <State tone="good">Active</State>;
  return findPauseTexts(webhook) === undefined ? (
    <State tone="muted">{toSentenceCase(webhook.status)}</State>
  ) : (
    <State tone="warn">Paused by the service</State>
  );
}

export function DeliveryHealth({ webhook }: { readonly webhook: Webhook }) {
  const { lastDeliveredAt, failingSince } = webhook;
  return (
    <>
      {failingSince !== null && <State tone="warn">{formatFailingSince(failingSince)}</State>}
      {lastDeliveredAt !== null ? (
        <span class="muted small under">
          Last delivered <Time at={lastDeliveredAt} />
        </span>
      ) : (
        failingSince === null && <span class="muted">Nothing delivered yet</span>
      )}
    </>
  );
}

const toneByStatus: Readonly<Record<string, Tone>> = { DELIVERED: "good", FAILED: "bad", DROPPED: "warn" };

export function DeliveryState({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { status, tries } = delivery;
  const isRetried = status === "PENDING" && tries > 0;
  const response = formatDeliveryResponse(delivery);
  return (
    <>
      <State tone={isRetried ? "warn" : (toneByStatus[status] ?? "muted")}>
        {status === "PENDING" ? (isRetried ? "Will be retried" : "Waiting") : toSentenceCase(status)}
      </State>
      {response !== "" && <span class="muted small cause">{response}</span>}
    </>
  );
}
