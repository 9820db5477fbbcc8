import type { Webhook, WebhookDelivery } from "@reports/client";
import { ActionButton } from "../parts/action-button.tsx";
import type { Column } from "../parts/rows.tsx";
import { Time } from "../parts/time.tsx";
import { buildHref } from "../shell/route.ts";
import { toDirAttribute } from "../parts/direction.ts";
import { DeliveryDetails } from "./delivery-details.tsx";
import { DeliveryState } from "./webhook-state.tsx";
import { formatEventType } from "./webhook-texts.ts";

export function createDeliveryColumns(
  { url }: Webhook,
  redeliver: (delivery: WebhookDelivery) => Promise<void>,
): readonly Column<WebhookDelivery>[] {
  return [
    {
      title: "Event",
      class: "main",
      cell: (delivery) => {
        const { type, reportId, reportTitle } = delivery;
        return (
          <>
            {formatEventType(type)}
            {reportId !== null && (
              <a class="under" href={buildHref(`reports/${reportId}`)} dir={toDirAttribute(reportTitle ?? "")} data-row>
                {reportTitle ?? reportId}
              </a>
            )}
            <DeliveryDetails delivery={delivery} url={url} />
          </>
        );
      },
    },
    { title: "State", cell: (delivery) => <DeliveryState delivery={delivery} /> },
    {
      title: "Attempts",
      class: "number",
      unit: ({ tries }) => (tries === 1 ? "attempt" : "attempts"),
      cell: ({ tries }) => tries,
    },
    { title: "Happened", class: "muted", cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: "Next attempt",
      class: "muted aside",
      // While the service pauses a webhook after failures, the time of the next attempt may have passed. The cell then shows "due".
      cell: ({ nextTryAt }) =>
        nextTryAt !== null && (Date.parse(nextTryAt) > Date.now() ? <Time at={nextTryAt} /> : "due"),
    },
    {
      title: "Actions",
      class: "acts",
      cell: (delivery) =>
        (delivery.status !== "PENDING" || delivery.tries > 0) && (
          <ActionButton
            key={delivery.status}
            label={delivery.status === "PENDING" ? "Send now" : "Send again"}
            recordName={`${formatEventType(delivery.type)}, ${delivery.eventId}`}
            act={async () => redeliver(delivery)}
          />
        ),
    },
  ];
}
