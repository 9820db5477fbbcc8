import type { WebhookDelivery } from "@reports/client";
import { Deed } from "../parts/deed.tsx";
import { Time } from "../parts/time.tsx";
import { hrefOf } from "../shell/place.ts";
import { DeliveryState } from "./webhook-state.tsx";
import { eventText } from "./webhook-words.ts";

export function DeliveryRow(props: { readonly delivery: WebhookDelivery; readonly again: () => Promise<void> }) {
  const { delivery, again } = props;
  const { type, reportId, status, tries, createdAt, nextTryAt, eventId } = delivery;
  const word = eventText(type);
  return (
    <tr>
      <td class="main">
        {reportId === null ? (
          word
        ) : (
          <a href={hrefOf(`reports/${reportId}`)} data-row>
            {word}
          </a>
        )}
      </td>
      <td>
        <DeliveryState delivery={delivery} />
      </td>
      <td class="number" data-name={tries === 1 ? "try" : "tries"}>
        {tries}
      </td>
      <td class="muted">
        <Time at={createdAt} />
      </td>
      <td class="muted aside">{nextTryAt !== null && <Time at={nextTryAt} />}</td>
      <td class="acts">{status !== "PENDING" && <Deed word="Send again" of={`${word}, ${eventId}`} act={again} />}</td>
    </tr>
  );
}
