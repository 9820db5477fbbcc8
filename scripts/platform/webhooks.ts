import { verifyWebhook, type Gateway } from "@reports/client";
import { CommandExitError } from "@reports/commands";
import { waitFor } from "@reports/testing";
import type { CallerLoad } from "./caller-load.ts";
import type { Platform } from "./start-platform.ts";

interface Webhook {
  readonly id: string;
  readonly secret: string;
  readonly createdAt: number;
  /** IDs of the reports whose event the receiver got with a valid signature. */
  readonly reports: Set<string>;
}

export function createTrialWebhooks(gateway: Gateway, load: CallerLoad, receiver: Platform["receiver"]) {
  const webhooks: Webhook[] = [];
  let read = 0;

  async function readEvents(): Promise<void> {
    for (const { headers, body } of receiver.received.slice(read)) {
      const now = new Date(Number(headers["webhook-timestamp"]) * 1000);
      const verified = webhooks.map(async ({ secret, reports }) => {
        const { data } = await verifyWebhook({ headers, body }, { secret, now });
        reports.add(String(data["id"]));
      });
      // An event does not name its webhook, so every secret is tried. Only the secret of the event's webhook verifies the signature.
      await Promise.any(verified);
      read += 1;
    }
  }

  return {
    /** Creates another webhook. The API encrypts its secret with the first key of WEBHOOK_KEY, so a rotation of the key must keep it readable. */
    async subscribe(): Promise<void> {
      const { id, secret } = await load.call("create webhook", async () =>
        gateway.webhooks.create({ url: `${receiver.origin}/hook`, events: ["report.succeeded"], of: "ALL" }),
      );
      webhooks.push({ id, secret, createdAt: Date.now(), reports: new Set() });
    },
    /** Forgets webhooks that were created after `time`, because a database restored to that time does not have them. */
    forgetCreatedAfter: (time: number): void =>
      void webhooks.splice(0, Infinity, ...webhooks.filter(({ createdAt }) => createdAt <= time)),
    async check(): Promise<void> {
      const missing = (): readonly string[] =>
        webhooks.flatMap(({ id: webhookId, createdAt, reports }) =>
          load.reports.flatMap(({ id, startedAt }) =>
            startedAt > createdAt && !reports.has(id) ? [`webhook ${webhookId}, report ${id}`] : [],
          ),
        );
      await waitFor(async () => (await readEvents(), missing().length === 0), {
        what: "an event of every report at every webhook",
        timeoutMs: 60_000,
      }).catch(() => {
        throw new CommandExitError(`${missing().length} events are missing, such as that of ${missing()[0]!}.`);
      });
      for (const { id } of webhooks) {
        const { status } = await load.call("read webhook", async (options) => gateway.webhooks.get(id, options));
        if (status !== "ACTIVE") throw new CommandExitError(`The webhook ${id} is ${status}.`);
      }
    },
  };
}
