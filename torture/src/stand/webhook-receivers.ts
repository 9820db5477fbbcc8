import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { isFulfilled, waitFor } from "@reports/testing";
import { Webhook } from "standardwebhooks";

/** Names of the receivers of webhooks. `redirecting` redirects to `forbidden`, to which the service must not send. */
export const receiverNames = [
  "good",
  "restarted",
  "slow",
  "failing",
  "hanging",
  "dripping",
  "redirecting",
  "forbidden",
] as const;
export type ReceiverName = (typeof receiverNames)[number];

export interface ReceivedWebhookRequest {
  readonly by: ReceiverName;
  readonly eventId: string;
  readonly body: string;
  /** Time of the request in ms, by the clock of the harness. */
  readonly at: number;
  /** Time in the signed header in ms. NaN if the header has no readable time. */
  readonly signedAt: number;
  /** Problem of the signature, or null. The age of the signature does not count, because the invariant I15 checks the time separately. */
  readonly problem: string | null;
}

export type WebhookReceivers = Awaited<ReturnType<typeof startTortureReceivers>>;

const slowMs = 3_000;
const hangingMs = 60_000;
/** The receiver `dripping` sends 10 KB per second for a minute. The service must end the request before that. */
const slowChunk = Buffer.alloc(1_024);
const slowChunkPauseMs = 100;
const slowChunkCount = 600;
const host = "127.0.0.1";
const forbiddenHost = "127.0.0.2";

export async function startTortureReceivers() {
  const received: ReceivedWebhookRequest[] = [];
  const verifiers = new Map<ReceiverName, Webhook>();
  let forbiddenConnections = 0;

  function serve(only?: ReceiverName): Server {
    return createServer((request, response) => {
      const by = only ?? receiverNameIn(request.url);
      text(request)
        .then(async (body) => {
          const { headers } = request;
          const problem = verify(verifiers.get(by), body, headers);
          const signedAt = Number(headers["webhook-timestamp"]) * 1_000;
          received.push({ by, body, problem, at: Date.now(), signedAt, eventId: String(headers["webhook-id"]) });
          await behaviours[by](response, `http://${forbiddenHost}:${portOf(forbidden)}/`);
        })
        // Responding fails if the sender has closed the connection, or if this receiver is being restarted.
        .catch(() => response.destroy());
    });
  }

  const steady = serve();
  const forbidden = serve("forbidden").on("connection", () => forbiddenConnections++);
  let restarted = serve("restarted");
  await Promise.all([listen(steady, host), listen(forbidden, forbiddenHost), listen(restarted, host)]);
  const restartedPort = portOf(restarted);

  return {
    received,
    get forbiddenConnections() {
      return forbiddenConnections;
    },
    urlOf(name: ReceiverName) {
      if (name === "restarted") return `http://${host}:${restartedPort}/`;
      return name === "forbidden"
        ? `http://${forbiddenHost}:${portOf(forbidden)}/`
        : `http://${host}:${portOf(steady)}/${name}`;
    },
    trust: (name: ReceiverName, secret: string) => void verifiers.set(name, new Webhook(secret)),
    async restart(awayMs: number) {
      await close(restarted);
      await wait(awayMs);
      restarted = serve("restarted");
      // An outgoing connection of another process can use the port at this moment, so listening may fail at first.
      const isListening = async (): Promise<boolean> => isFulfilled(listen(restarted, host, restartedPort));
      await waitFor(isListening, { what: "the receiver's port", timeoutMs: 60_000, intervalMs: 200 });
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all([steady, forbidden, restarted].map(close))),
  };
}

type Behaviour = (response: ServerResponse, forbiddenUrl: string) => unknown;
const acceptRequest: Behaviour = (response) => response.writeHead(204).end();

const behaviours: Readonly<Record<ReceiverName, Behaviour>> = {
  good: acceptRequest,
  restarted: acceptRequest,
  forbidden: acceptRequest,
  failing: (response) => response.writeHead(500).end("no"),
  redirecting: (response, location) => response.writeHead(307, { location }).end(),
  slow: async (response) => {
    await wait(slowMs);
    response.writeHead(204).end();
  },
  hanging: async (response) => wait(hangingMs, undefined, { ref: false }).then(() => response.destroy()),
  dripping: async (response) => {
    response.writeHead(200);
    for (let number = 0; number < slowChunkCount && !response.destroyed; number++) {
      response.write(slowChunk);
      await wait(slowChunkPauseMs, undefined, { ref: false });
    }
    response.end();
  },
};

/**
 * Returns the problem of a signature, or null. Invariant I15 checks the age of signatures. So this function computes a signature that is too old
 * or too new again and compares it.
 */
function verify(verifier: Webhook | undefined, body: string, headers: IncomingHttpHeaders): string | null {
  const texts = headers as Record<string, string>;
  try {
    if (verifier === undefined) return "no webhook has this address";
    verifier.verify(body, texts);
    return null;
  } catch (error) {
    const { message } = error as Error;
    if (verifier === undefined || !message.startsWith("Message timestamp too")) return message;
    const signedAt = new Date(Number(texts["webhook-timestamp"]) * 1_000);
    const expected = verifier.sign(texts["webhook-id"]!, signedAt, body);
    return texts["webhook-signature"]!.split(" ").includes(expected) ? null : "No matching signature found";
  }
}

function receiverNameIn(path = "/"): ReceiverName {
  return receiverNames.find((name) => path === `/${name}`) ?? "forbidden";
}

async function listen(server: Server, address: string, port = 0): Promise<void> {
  await once(server.listen(port, address), "listening");
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
