import { randomBytes } from "node:crypto";
import { hashPassword } from "@reports/auth";
import { createDatabase, createUserStore } from "@reports/db";
import { listFor, runAttack, type AttackContext } from "./attacks/attack-command.ts";
import { describeAnswers, repeatRequest } from "./attacks/repeat-request.ts";

const inParallel = 120;
const seconds = 15;
const owner = "owner";
const password = randomBytes(12).toString("base64url");

function basic(name: string, secret: string): string {
  return `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`;
}

/** A wrong login: half of them under the owner's name. */
function wrongLogin(): string {
  const guess = randomBytes(6).toString("hex");
  const credentials = basic(Math.random() < 0.5 ? owner : `nobody-${guess}`, guess);
  return `GET /v1/proxies?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${credentials}\r\n\r\n`;
}

async function flood(context: AttackContext, addressOf: (index: number) => string): Promise<string> {
  const before = await context.readCounter("reports_auth_passwords_checked_total");
  const until = performance.now() + seconds * 1000;
  const answers = await Promise.all(
    Array.from({ length: inParallel }, async (_, index) =>
      repeatRequest(context.open(addressOf(index)), wrongLogin, until),
    ),
  );
  const spent = (await context.readCounter("reports_auth_passwords_checked_total")) - before;
  return `Strangers were answered ${describeAnswers(answers)}; ${spent} hashes were spent.`;
}

await runAttack({
  name: "login flood",
  help: `Usage: pnpm login-flood

Starts the API on demo data, on the loopback interface. For ${seconds} s each, ${inParallel} connections of one address, and then of ${inParallel} addresses,
try wrong passwords again and again, half of them under the name of a user. Meanwhile that user, who logged in before, asks for a list with
the right password, and somebody with a token asks for the same; each of their requests must be answered.

Exit codes: 0 the other callers were served throughout, 1 they were not, 2 wrong usage.
`,
  async questions({ url, databaseUrl, token }) {
    const database = createDatabase({ url: databaseUrl, max: 1 });
    try {
      const passwordHash = await hashPassword(password);
      await createUserStore(database).create({ name: owner, passwordHash, authorities: ["REGISTRY_READ"] });
    } finally {
      await database.close();
    }
    return [
      listFor("a list by the owner's password", url, basic(owner, password)),
      listFor("a list by token", url, `Bearer ${token}`),
    ];
  },
  phases: [
    { name: "logins from one address", run: async (context) => flood(context, () => "127.0.0.2") },
    { name: "logins from many addresses", run: async (context) => flood(context, (index) => `127.0.1.${index + 1}`) },
  ],
});
