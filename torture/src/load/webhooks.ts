import { setTimeout as wait } from "node:timers/promises";
import type { WebhookEventType } from "@reports/core/webhook";
import type { SeededRandom } from "@reports/testing";
import { receiverNames, type ReceiverName, type WebhookReceivers } from "../stand/webhook-receivers.ts";
import type { TortureStand } from "../stand/torture-stand.ts";
import { otherAdminName, type LoadClient } from "./load-client.ts";

const [ownKey, otherKey, spareKey] = [
  "the torture harness's own secret",
  "a key of one worker and no other",
  "all have this, nothing is sealed",
].map((text) => Buffer.from(text, "latin1").toString("base64"));

/** Settings of a worker without the key that encrypts webhook secrets in the other processes. So this worker cannot decrypt any secret. */
export const otherWebhookKeyEnvironment = { WEBHOOK_KEY: `${otherKey},${spareKey}` };

const withHostName = (url: string): string => url.replace("127.0.0.1", "localhost");

export const createWebhookEnvironment = ({ urlOf }: Pick<WebhookReceivers, "urlOf">) => ({
  WEBHOOK_ALLOW: [urlOf("good"), withHostName(urlOf("good")), urlOf("restarted")]
    .map((url) => new URL(url).origin)
    .join(","),
  WEBHOOK_KEY: `${ownKey},${spareKey}`,
  PUBLIC_URL: "https://reports.example.com",
});

const subscribedEvents = [
  "report.succeeded",
  "report.failed",
  "report.cancelled",
  "report.expired",
] as const satisfies readonly WebhookEventType[];

/** Number of webhooks whose host names never resolve. It exceeds the number of deliveries that a worker sends at the same time. */
const silentNameCount = 12;

export async function subscribeReceivers(
  { sql }: Pick<TortureStand, "sql">,
  caller: LoadClient,
  receivers: WebhookReceivers,
  { hasNamedReceiver }: { readonly hasNamedReceiver: boolean },
): Promise<ReadonlyMap<string, ReceiverName>> {
  const urlOf = (name: ReceiverName): string =>
    name === "good" && hasNamedReceiver ? withHostName(receivers.urlOf(name)) : receivers.urlOf(name);
  const refused = await subscribe(caller, "admin", receivers.urlOf("forbidden"));
  if (refused?.status !== 422) throw new Error(`A webhook with a forbidden address got ${refused?.status}, not 422.`);
  const names = new Map<string, ReceiverName>();
  for (const name of receiverNames) {
    const response = await subscribe(caller, "admin", urlOf(name === "forbidden" ? "good" : name));
    const text = (await response?.text()) ?? "no answer";
    if (response?.status !== 201) throw new Error(`The webhook ${name} could not be created: ${text}`);
    const { id, secret } = JSON.parse(text) as { id: string; secret: string };
    receivers.trust(name, secret);
    names.set(id, name);
    // The API would refuse the forbidden URL. Set later, it is like a host name that changes its address after the webhook was created.
    if (name === "forbidden") await sql`update webhooks set url = ${receivers.urlOf(name)} where id = ${id}`;
  }
  return names;
}

export async function createSilentDnsWebhooks(caller: LoadClient): Promise<void> {
  for (let number = 1; number <= silentNameCount; number++) {
    const response = await subscribe(caller, otherAdminName, `https://silent-${number}.torture.example/`);
    if (response?.status !== 201) throw new Error(`A webhook got ${response?.status}, not 201.`);
  }
}

async function subscribe(caller: LoadClient, owner: string, url: string): Promise<Response | null> {
  return caller.send("POST", "/v1/webhooks", owner, {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url, events: subscribedEvents, of: "ALL" }),
  });
}

export async function restartReceiverRepeatedly(
  receivers: WebhookReceivers,
  random: SeededRandom,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await wait(random.integer(2_000, 8_000), undefined, { signal }).catch(() => undefined);
    await receivers.restart(random.integer(500, 4_000));
  }
}
