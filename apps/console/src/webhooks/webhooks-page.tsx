import type { Webhook } from "@reports/client";
import { Cut } from "../parts/cut.tsx";
import { Empty, Shown } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { firstPage } from "../shell/first-page.ts";
import { hrefOf } from "../shell/place.ts";
import { useRemote } from "../shell/remote.ts";
import { Who } from "../parts/who.tsx";
import { may } from "../shell/session.ts";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookState } from "./webhook-state.tsx";
import { eventText } from "./webhook-words.ts";

/** The page shows this many: a principal has at most 20. */
const most = 200;
const againMs = 10_000;

/** The caller's own webhooks, for administrators everybody's. */
export function WebhooksPage() {
  const remote = useRemote(
    "webhooks",
    async (gateway, signal) => (await firstPage(gateway.webhooks.list({ limit: most }, { signal }))).items,
    () => againMs,
  );
  return (
    <>
      <PageHead
        eyebrow="Webhooks"
        title={may(REPORTS_ADMIN) ? "All webhooks" : "My webhooks"}
        lead="Addresses that are notified when a report has ended."
      >
        <a class="button primary" href={hrefOf("webhook")}>
          New webhook
        </a>
      </PageHead>
      <Shown remote={remote}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Empty title="No webhooks yet">
              <p>
                A webhook sends a signed request to your system when a report has ended, so that it does not have to
                poll.
              </p>
            </Empty>
          ) : (
            <WebhookRows webhooks={webhooks} onChange={remote.reload} />
          )
        }
      </Shown>
    </>
  );
}

function WebhookRows(props: { readonly webhooks: readonly Webhook[]; readonly onChange: () => void }) {
  const showsWho = may(REPORTS_ADMIN);
  return (
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">Address</th>
          <th scope="col">State</th>
          <th scope="col">Events</th>
          {showsWho && <th scope="col">Owner</th>}
          <th scope="col">
            <span class="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.webhooks.map((webhook) => (
          <tr key={webhook.id}>
            <td class="main">
              <a href={hrefOf(`webhooks/${webhook.id}`)} data-row>
                <Cut text={webhook.url} />
              </a>
            </td>
            <td>
              <WebhookState webhook={webhook} />
            </td>
            <td>
              {webhook.events.map(eventText).join(", ")}
              {webhook.of === "ALL" && <span class="muted">, of everybody’s reports</span>}
            </td>
            {showsWho && (
              <td class="aside">
                <Who id={webhook.owner} />
              </td>
            )}
            <td class="acts">
              <WebhookActions webhook={webhook} onChange={props.onChange} onRemoved={props.onChange} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
