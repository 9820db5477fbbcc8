import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { hashPassword } from "@reports/auth";
import { createDatabase, createUserStore } from "@reports/db";
import { runAttack } from "./attacks/attack-command.ts";
import type { Question } from "./attacks/meanwhile.ts";
import type { RunningApi } from "./running-api.ts";

const domains = 343_000;
const atOnce = 40;
const seconds = 20;
/** Much less than Retry-After asks for. In milliseconds. */
const pauseMs = 100;
const list = "/v1/domains?q=e&sort=-errorRate5xx24h,-requests24h,certIssuer&count=exact";

/** Asks for the list again and again, as a caller who waits for no answer that says no. */
async function flood(url: string, token: string): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const seen = new Map<string, number>();
  const until = performance.now() + seconds * 1000;
  const ask = async (): Promise<void> => {
    while (performance.now() < until) {
      const asked = get(`${url}${list}`, { agent, headers: { Authorization: `Bearer ${token}` } });
      const status = await once(asked, "response").then(
        async (values) => {
          const [answer] = values as [IncomingMessage];
          for await (const _ of answer) continue;
          return String(answer.statusCode);
        },
        () => "no answer",
      );
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (status !== "200") await wait(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  agent.destroy();
  return `The lists of the attacker: ${[...seen].map(([status, count]) => `${count} × ${status}`).join(", ")}.`;
}

/** What costs little and must go on: a record and a login. */
async function cheapQuestions({ url, token, databaseUrl }: RunningApi): Promise<readonly Question[]> {
  const database = createDatabase({ url: databaseUrl, max: 1 });
  const passwordHash = await hashPassword("a password of the attack");
  await createUserStore(database).create({ name: "other", passwordHash, authorities: [] });
  await database.close();
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/v1/proxies?limit=1`, { headers });
  const [proxy] = (await answer.json()) as [{ readonly id: string }];
  const basic = `Basic ${Buffer.from("other:a password of the attack").toString("base64")}`;
  return [
    { what: "one proxy", url: `${url}/v1/proxies/${proxy.id}`, headers },
    { what: "a login", url: `${url}/v1/tokens`, method: "POST", headers: { Authorization: basic } },
  ];
}

await runAttack({
  name: "list flood",
  help: `Usage: pnpm list-flood

Starts the API on ${domains.toLocaleString("en-US")} domains, on the loopback interface. For ${seconds} s, one principal has ${atOnce} lists under way at once, sorted by three fields
without an index and counted. Meanwhile another caller asks for /health/live, for one proxy, and for a token by a name and a password.
On a quiet machine each of the three stays below 100 ms at the 99th percentile.

Exit codes: 0 the other caller was served throughout, 1 it was not, 2 wrong usage.
`,
  data: { proxies: domains / 50, domains },
  questions: cheapQuestions,
  run: async ({ url, tokenOf }) => flood(url, tokenOf("attacker")),
});
