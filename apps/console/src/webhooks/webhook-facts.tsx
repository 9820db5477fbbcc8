import type { Webhook } from "@reports/client";
import { Facts, otherFacts } from "../parts/facts.tsx";
import { Time } from "../parts/time.tsx";
import { PrincipalName } from "../parts/format-principal-name.tsx";
import { findReportTypeTitle } from "../shell/session.ts";
import { DeliveryHealth } from "./webhook-state.tsx";
import { formatEventType } from "./webhook-texts.ts";

const explicitFields: readonly (keyof Webhook)[] = [
  "id",
  "owner",
  "url",
  "events",
  "reportTypes",
  "of",
  "status",
  "pausedBecause",
  "lastDeliveredAt",
  "failingSince",
  "createdAt",
  "updatedAt",
];

export function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { url, events, reportTypes, of, owner, createdAt, id } = webhook;
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">Events</h2>
      <Facts
        facts={[
          ["Address", <code key="url">{url}</code>],
          ["Events", events.map(formatEventType).join(", ")],
          ["Report types", reportTypes === null ? "All" : reportTypes.map(findReportTypeTitle).join(", ")],
          ["Reports", of === "ALL" ? "Everybody's" : "Its owner's"],
          ["Owner", <PrincipalName key="owner" id={owner} />],
          ["Deliveries", <DeliveryHealth key="health" webhook={webhook} />],
          ["Created", <Time key="created" at={createdAt} />],
          ["Webhook id", <code key="id">{id}</code>],
          ...otherFacts(webhook, explicitFields),
        ]}
      />
    </section>
  );
}
