import { setTimeout as wait } from "node:timers/promises";
import type { WebhookEventType } from "@reports/core/webhook";
import type { Random } from "@reports/testing";
import { receiverNames, type ReceiverName, type WebhookReceivers } from "../stand/webhook-receivers.ts";
import type { Stand } from "../stand/stand.ts";
import { otherAdmin, type Caller } from "./caller.ts";

const [ownKey, otherKey, spareKey] = [
  "the torture harness's own secret",
  "a key of one worker and no other",
  "all have this, nothing is sealed",
].map((text) => Buffer.from(text, "latin1").toString("base64"));

/** Settings of a worker that lacks the first key of the other processes, which seals webhook secrets. So this worker cannot open them. */
export const otherWebhookKey = { WEBHOOK_KEY: `${otherKey},${spareKey}` };

/** Replaces the IP address by a host name, which workers have to resolve. */
const withHostName = (url: string): string => url.replace("127.0.0.1", "localhost");

/** Returns settings of the API and workers that allow the receivers, except the forbidden one. */
export const webhookSettings = ({ urlOf }: Pick<WebhookReceivers, "urlOf">) => ({
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

/** Number of webhooks with names that never resolve, more than a worker's parallel deliveries. */
const silentNameCount = 12;

/** Creates a webhook per receiver. Returns receiver names by webhook ID. With `hasNamedReceiver`, the good receiver's URL has a host name. */
export async function subscribeReceivers(
  { sql }: Pick<Stand, "sql">,
  caller: Caller,
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
    // The API accepts only allowed URLs. This URL becomes forbidden afterwards, like a host name that changes its address.
    if (name === "forbidden") await sql`update webhooks set url = ${receivers.urlOf(name)} where id = ${id}`;
  }
  return names;
}

/** Creates webhooks with names that never resolve, for another owner. */
export async function subscribeSilentNames(caller: Caller): Promise<void> {
  for (let number = 1; number <= silentNameCount; number++) {
    const response = await subscribe(caller, otherAdmin, `https://silent-${number}.torture.example/`);
    if (response?.status !== 201) throw new Error(`A webhook got ${response?.status}, not 201.`);
  }
}

async function subscribe(caller: Caller, owner: string, url: string): Promise<Response | null> {
  return caller.send("POST", "/v1/webhooks", owner, {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url, events: subscribedEvents, of: "ALL" }),
  });
}

export async function restartReceiver(receivers: WebhookReceivers, random: Random, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait(random.integer(2_000, 8_000), undefined, { signal }).catch(() => undefined);
    await receivers.restart(random.integer(500, 4_000));
  }
}
