import { setTimeout as wait } from "node:timers/promises";
import type { TortureStand } from "../stand/torture-stand.ts";
import type { ReceivedWebhookRequest, ReceiverName, WebhookReceivers } from "../stand/webhook-receivers.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";
import { quantile } from "./recovery.ts";
import type { DatabaseState } from "./database-state.ts";

export interface SeenDelivery {
  readonly to: ReceiverName;
  readonly type: string;
  readonly reportId: string;
  readonly eventId: string;
  readonly status: string;
  readonly error: string | null;
  /** Seconds from the creation of the delivery to its end. Null if it is pending. */
  readonly seconds: number | null;
}

export interface WebhookEvidence {
  readonly transitions: readonly { readonly reportId: string; readonly type: string }[];
  readonly deliveries: readonly SeenDelivery[];
  readonly received: readonly ReceivedWebhookRequest[];
  readonly forbiddenConnections: number;
}

/** Maximum ms to wait until pending deliveries end. If a worker dies, its claim on a webhook blocks deliveries for one minute of that time. */
const patienceMs = 180_000;
/** Maximum median of the seconds of a delivery to the good receiver. A larger one means that deliveries wait for receivers that hang. */
const maxMedianSeconds = 15;
const finalStatuses: ReadonlySet<string> = new Set(["SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"]);

export async function readWebhookEvidence(
  { retryingSql }: TortureStand,
  names: ReadonlyMap<string, ReceiverName>,
  { records, events }: DatabaseState,
  receivers: Pick<WebhookReceivers, "received" | "forbiddenConnections">,
): Promise<WebhookEvidence> {
  const read = async (): Promise<readonly SeenDelivery[]> => {
    const rows = await retryingSql<(Omit<SeenDelivery, "to"> & { webhookId: string })[]>`
      select webhook_id as "webhookId", type, report_id as "reportId", event_id as "eventId", status, last_error_code as error,
        extract(epoch from ended_at - created_at)::float8 as seconds
      from webhook_deliveries`;
    // Deliveries to host names that never resolve have no receiver, so they are left out.
    return rows.flatMap(({ webhookId, ...row }) => {
      const to = names.get(webhookId);
      return to === undefined ? [] : [{ ...row, to }];
    });
  };
  let deliveries = await read();
  for (const endsAt = Date.now() + patienceMs; Date.now() < endsAt;) {
    if (!deliveries.some(({ to, status }) => to === "good" && status === "PENDING")) break;
    await wait(1_000);
    deliveries = await read();
  }
  const transitions = [...events].flatMap(([reportId, history]) =>
    records.get(reportId)?.fileOf === null
      ? history
          .filter(({ to }) => finalStatuses.has(to))
          .map(({ to }) => ({ reportId, type: `report.${to.toLowerCase()}` }))
      : [],
  );
  const { received, forbiddenConnections } = receivers;
  return { transitions, deliveries, received, forbiddenConnections };
}

export function checkWebhookDeliveries(
  names: readonly ReceiverName[],
  { transitions, deliveries, received, forbiddenConnections }: WebhookEvidence,
): InvariantResult {
  const key = (name: string, type: string, reportId: string): string => `${name} ${type} ${reportId}`;
  const queued = Map.groupBy(deliveries, ({ to, type, reportId }) => key(to, type, reportId));
  const happened = new Set(transitions.map(({ type, reportId }) => `${type} ${reportId}`));
  const arrived = Map.groupBy(received, ({ by, eventId }) => `${by} ${eventId}`);
  const good = deliveries.filter(({ to }) => to === "good");
  const times = good.flatMap(({ seconds }) => seconds ?? []);
  const [median = null, longest = null] = [0.5, 1].map((share) => quantile(times, share));
  const forbidden = deliveries.filter(({ to }) => to === "forbidden");
  const inSeconds = (value: number | null): string => (value === null ? "–" : `${value.toFixed(1)} s`);
  return createInvariantResult(
    "I14",
    "every end of a report is queued once for every webhook and reaches the good receiver signed; nothing reaches a forbidden address",
    `${transitions.length} ends, ${good.length} deliveries to the good receiver, p50 ${inSeconds(median)}, max ${inSeconds(longest)}; ${received.length} requests at all receivers`,
    [
      ...transitions.flatMap(({ type, reportId }) =>
        names
          .map((name) => [name, queued.get(key(name, type, reportId))?.length ?? 0] as const)
          .filter(([, count]) => count !== 1)
          .map(([name, count]) => [reportId, `${type} is queued ${count} times for ${name}`] as const),
      ),
      ...deliveries
        .filter(({ type, reportId }) => !happened.has(`${type} ${reportId}`))
        .map(({ type, reportId, to }) => [reportId, `${type} is queued for ${to} but did not happen`] as const),
      ...good
        .filter(({ status }) => status !== "DELIVERED")
        .map(({ type, reportId, status }) => [reportId, `${type} is ${status} for the good receiver`] as const),
      ...deliveries
        .filter(({ status, to, eventId }) => status === "DELIVERED" && !arrived.has(`${to} ${eventId}`))
        .map(({ type, reportId, to }) => [reportId, `${type} is DELIVERED to ${to}, which never received it`] as const),
      ...received.flatMap(({ by, problem }) =>
        problem === null ? [] : [[null, `a request to ${by} has a wrong signature: ${problem}`] as const],
      ),
      ...(forbiddenConnections > 0
        ? [[null, `${forbiddenConnections} connections to a forbidden address`] as const]
        : []),
      ...(forbidden.length > 0 && !forbidden.some(({ error }) => error === "ADDRESS_FORBIDDEN")
        ? [[null, "no delivery to the forbidden address was refused"] as const]
        : []),
      ...(median !== null && median > maxMedianSeconds
        ? [[null, `half of the deliveries to the good receiver took ${inSeconds(median)} or longer`] as const]
        : []),
    ],
  );
}
