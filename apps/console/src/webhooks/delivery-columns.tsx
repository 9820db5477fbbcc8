import type { WebhookDelivery } from "@reports/client";
import { ActionButton } from "../parts/action-button.tsx";
import type { Column } from "../parts/rows.tsx";
import { Time } from "../parts/time.tsx";
import { buildHref } from "../shell/route.ts";
import { DeliveryState } from "./webhook-state.tsx";
import { eventText } from "./webhook-texts.ts";

export function deliveryColumns(
  redeliver: (delivery: WebhookDelivery) => Promise<void>,
): readonly Column<WebhookDelivery>[] {
  return [
    {
      title: "Event",
      class: "main",
      cell: ({ type, reportId }) =>
        reportId === null ? (
          eventText(type)
        ) : (
          <a href={buildHref(`reports/${reportId}`)} data-row>
            {eventText(type)}
          </a>
        ),
    },
    { title: "State", cell: (delivery) => <DeliveryState delivery={delivery} /> },
    {
      title: "Tries",
      class: "number",
      unit: ({ tries }) => (tries === 1 ? "try" : "tries"),
      cell: ({ tries }) => tries,
    },
    { title: "Happened", class: "muted", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: "Next try", class: "muted aside", cell: ({ nextTryAt }) => nextTryAt !== null && <Time at={nextTryAt} /> },
    {
      title: "Actions",
      class: "acts",
      cell: (delivery) =>
        delivery.status !== "PENDING" && (
          <ActionButton
            label="Send again"
            recordName={`${eventText(delivery.type)}, ${delivery.eventId}`}
            act={async () => redeliver(delivery)}
          />
        ),
    },
  ];
}
