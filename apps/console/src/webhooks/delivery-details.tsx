import type { Webhook, WebhookDelivery } from "@reports/client";
import { Facts } from "../parts/facts.tsx";
import { toSentenceCase } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";

export function DeliveryDetails({
  delivery,
  url,
}: {
  readonly delivery: WebhookDelivery;
  readonly url: Webhook["url"];
}) {
  const { eventId, type, tries, lastStatus, lastErrorCode, durationMs, endedAt, nextTryAt } = delivery;
  return (
    <details class="fold">
      <summary class="small">Details</summary>
      <Facts
        facts={[
          ["Request", <code key="request">POST {url}</code>],
          ["webhook-id", <code key="id">{eventId}</code>],
          ["Type", <code key="type">{type}</code>],
          ["Attempts", String(tries)],
          lastStatus === null ? null : ["Status", String(lastStatus)],
          lastErrorCode === null ? null : ["Error", toSentenceCase(lastErrorCode)],
          durationMs === null ? null : ["Duration", `${durationMs} ms`],
          endedAt === null ? null : ["Ended", <Time key="ended" at={endedAt} exact />],
          nextTryAt === null ? null : ["Next attempt", <Time key="next" at={nextTryAt} exact />],
        ]}
      />
    </details>
  );
}
