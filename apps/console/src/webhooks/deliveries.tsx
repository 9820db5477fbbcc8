import type { Webhook, WebhookDelivery } from "@reports/client";
import { useEffect, useRef } from "preact/hooks";
import { Select } from "../parts/fields.tsx";
import { EmptyState, QueryContent } from "../parts/notices.tsx";
import { Rows } from "../parts/rows.tsx";
import { toSentenceCase } from "../parts/text.ts";
import { readFirstPage } from "../shell/first-page.ts";
import { changeRouteQuery, route } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { session } from "../shell/session.ts";
import { showToast } from "../shell/toasts.tsx";
import { createDeliveryColumns } from "./create-delivery-columns.tsx";

const statuses = ["PENDING", "DELIVERED", "FAILED", "DROPPED"];
const maxDeliveries = 100;
const duePollMs = 2_000;
const idlePollMs = 10_000;

/**
 * The deliveries of a webhook, newest first. `tests` counts the test events that this page has sent. The list is reloaded when that number changes.
 */
export function Deliveries({ webhook, tests }: { readonly webhook: Webhook; readonly tests: number }) {
  const status = route.value.query.get("status") ?? "";
  const result = useQuery(
    `deliveries ${webhook.id} ${status}`,
    async (gateway, options) =>
      (
        await readFirstPage(
          gateway.webhooks.deliveries(
            webhook.id,
            { limit: maxDeliveries, status: status === "" ? undefined : status },
            options,
          ),
        )
      ).items,
    (known) => (known?.some(isDeliveryDue) === true ? duePollMs : idlePollMs),
  );
  // A test event or a change of the status causes deliveries, so the list is reloaded without waiting for the next poll.
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) result.reload();
    isFirst.current = false;
  }, [webhook.status, tests]);
  const redeliver = async ({ eventId }: WebhookDelivery): Promise<void> => {
    await session.value!.gateway.webhooks.redeliver(webhook.id, eventId);
    showToast("Sending it now.");
    result.reload();
  };
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <div class="filters" data-filters>
        <Select
          label="State"
          value={status}
          emptyLabel="Any state"
          options={statuses.map((value) => ({ value, label: value === "PENDING" ? "Waiting" : toSentenceCase(value) }))}
          onChange={(value) => changeRouteQuery({ status: value === "" ? [] : [value] })}
        />
      </div>
      <QueryContent result={result}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <EmptyState title={status === "" ? "Nothing has been sent yet" : "No delivery matches"}>
              <p>
                {status === ""
                  ? "Events appear here. Send a test to see whether the receiver answers."
                  : "None is in this state."}
              </p>
            </EmptyState>
          ) : (
            <>
              <Rows items={deliveries} columns={createDeliveryColumns(webhook, redeliver)} />
              {deliveries.length === maxDeliveries && <p class="below">The newest {maxDeliveries}</p>}
            </>
          )
        }
      </QueryContent>
    </section>
  );
}

function isDeliveryDue({ status, nextTryAt }: WebhookDelivery): boolean {
  return status === "PENDING" && nextTryAt !== null && Date.parse(nextTryAt) < Date.now() + idlePollMs;
}
