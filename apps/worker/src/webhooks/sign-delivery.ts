import { createHmac } from "node:crypto";
import { findNonReportEvent, type ClaimedDelivery } from "@reports/core/webhook";

export interface SignedDelivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs a delivery by Standard Webhooks v1, once per secret (`whsec_` and base64). `publicUrl` includes the base path. */
export function signDelivery(
  delivery: Pick<ClaimedDelivery, "eventId" | "type" | "data" | "occurredAt">,
  { secrets, publicUrl, now }: { readonly secrets: readonly string[]; readonly publicUrl: string; readonly now: Date },
): SignedDelivery {
  const body = JSON.stringify({
    type: delivery.type,
    timestamp: delivery.occurredAt.toISOString(),
    data: { ...delivery.data, links: buildLinks(delivery, publicUrl) },
  });
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signed = `${delivery.eventId}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  });
  return {
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "report-gateway",
      "webhook-id": delivery.eventId,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatures.join(" "),
    },
  };
}

function buildLinks(
  { type, data }: Pick<ClaimedDelivery, "type" | "data">,
  publicUrl: string,
): Record<string, string | null> {
  const text = (key: string): string => encodeURIComponent(String(data[key]));
  const own = findNonReportEvent(type);
  if (own !== undefined) return { self: `${publicUrl}/v1/${own.self.path}/${text(own.self.id)}` };
  const download = `${publicUrl}/v1/report/download?reportType=${text("reportType")}&id=${text("id")}`;
  return {
    self: `${publicUrl}/v1/reports/${text("id")}`,
    download: type === "report.succeeded" ? download : null,
  };
}
