import { randomBytes } from "node:crypto";
import { hashPassword } from "@reports/auth";
import { createDatabase, createUserStore } from "@reports/db";
import { requestStatus } from "./running-attack.ts";

export const attackedUserName = "owner";

/** Maximum ms per call. A call that an attack keeps waiting takes longer than any pause of a busy machine. */
const patienceMs = 40_000;

interface Call {
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly authorization?: string;
}

export async function prepareOtherCallers(options: {
  readonly origin: string;
  readonly databaseUrl: string;
  readonly token: string;
}) {
  const { origin } = options;
  const password = randomBytes(12).toString("base64url");
  const database = createDatabase({ url: options.databaseUrl, max: 1 });
  try {
    const passwordHash = await hashPassword(password);
    await createUserStore(database).create({ name: attackedUserName, passwordHash, authorities: ["REGISTRY_READ"] });
  } finally {
    await database.close();
  }
  const basic = `Basic ${Buffer.from(`${attackedUserName}:${password}`).toString("base64")}`;
  const bearer = `Bearer ${options.token}`;
  const list = await fetch(`${origin}/v1/proxies?limit=1`, { headers: { Authorization: basic } });
  const [proxy] = (await list.json()) as readonly [{ readonly id: string }];
  const calls: readonly Call[] = [
    { path: "/health/live" },
    { path: "/v1/proxies?limit=10", authorization: bearer },
    { path: "/v1/proxies?limit=10", authorization: basic },
    { path: `/v1/proxies/${proxy.id}`, authorization: bearer },
    { path: "/v1/tokens", method: "POST", authorization: basic },
  ];
  let requests = 0;
  return {
    get requests() {
      return requests;
    },
    async sendAll() {
      requests += calls.length;
      const problems = await Promise.all(calls.map(async (call) => problemOf(origin, call)));
      return problems.filter((problem) => problem !== null);
    },
  };
}

async function problemOf(origin: string, { path, method = "GET", authorization }: Call): Promise<string | null> {
  const what = `${method} ${path}`;
  try {
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const signal = AbortSignal.timeout(patienceMs);
    const status = await requestStatus(`${origin}${path}`, { agent: false, method, headers, signal });
    return status === 200 || status === 201 ? null : `${what}: ${status}`;
  } catch (error) {
    return `${what}: ${(error as Error).message}`;
  }
}
