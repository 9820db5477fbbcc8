import type { Webhook } from "@reports/client";
import { MiddleTruncate } from "../parts/middle-truncate.tsx";
import { EmptyState, QueryContent } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { createOwnerColumn, Rows, type Column } from "../parts/rows.tsx";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { readFirstPage } from "../shell/first-page.ts";
import { buildHref } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { hasAuthority } from "../shell/session.ts";
import { WebhookActions } from "./webhook-actions.tsx";
import { DeliveryHealth, WebhookState } from "./webhook-state.tsx";
import { formatEventType } from "./webhook-texts.ts";

const maxListed = 200;
const pollMs = 10_000;

export function WebhooksPage() {
  const result = useQuery(
    "webhooks",
    async (gateway, options) => (await readFirstPage(gateway.webhooks.list({ limit: maxListed }, options))).items,
    () => pollMs,
  );
  return (
    <>
      <PageHead
        eyebrow="Webhooks"
        title={hasAuthority(REPORTS_ADMIN) ? "All webhooks" : "My webhooks"}
        lead="Addresses that are notified when a report has ended."
      >
        <a class="button primary" href={buildHref("webhook")}>
          New webhook
        </a>
      </PageHead>
      <QueryContent result={result}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <EmptyState title="No webhooks yet">
              <p>
                A webhook sends a signed request to your system when a report has ended, so that it does not have to
                poll.
              </p>
            </EmptyState>
          ) : (
            <Rows items={webhooks} columns={createColumns(result.reload)} />
          )
        }
      </QueryContent>
    </>
  );
}

function createColumns(onChange: () => void): readonly (Column<Webhook> | false)[] {
  return [
    {
      title: "Address",
      class: "main",
      cell: ({ id, url }) => (
        <a href={buildHref(`webhooks/${id}`)} data-row>
          <MiddleTruncate text={url} />
        </a>
      ),
    },
    { title: "State", cell: (webhook) => <WebhookState webhook={webhook} /> },
    {
      title: "Events",
      cell: (webhook) => (
        <>
          {webhook.events.map(formatEventType).join(", ")}
          {webhook.of === "ALL" && <span class="muted">, of everybody’s reports</span>}
        </>
      ),
    },
    { title: "Deliveries", cell: (webhook) => <DeliveryHealth webhook={webhook} /> },
    createOwnerColumn(),
    {
      title: "Actions",
      class: "acts",
      cell: (webhook) => <WebhookActions webhook={webhook} onChange={onChange} onRemoved={onChange} />,
    },
  ];
}
