import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { hashPassword } from "@reports/auth";
import { createDatabase, createUserStore } from "@reports/db";
import { listFor, runAttack, type AttackContext } from "./attacks/attack-command.ts";
import { createKeys, misbehaviours, signAccessToken, startIssuer } from "./attacks/hostile-issuer.ts";
import type { Question } from "./attacks/meanwhile.ts";
import { describeAnswers, repeatRequest } from "./attacks/repeat-request.ts";

const connections = 20;
const seconds = 8;
/** Longer than verified tokens and unsuccessful fetches are remembered. */
const hostileSeconds = 40;
const claims = { iss: "https://issuer.example", aud: "reports", authorities: ["REGISTRY_READ"] };
const basic = `Basic ${Buffer.from("owner:correct horse battery").toString("base64")}`;

await using issuer = await startIssuer(misbehaviours["answers 500"]);
const [ours, other] = [createKeys(), createKeys()];
const token = `Bearer ${signAccessToken(ours.privateKey, "one", claims)}`;

/** A token that is signed by nobody, under a key that nobody has. */
function hostileToken(): string {
  const forged = signAccessToken(other.privateKey, randomBytes(8).toString("hex"), claims);
  return `GET /v1/proxies?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${forged}\r\n\r\n`;
}

async function flood(context: AttackContext, forSeconds: number): Promise<string> {
  const until = performance.now() + forSeconds * 1000;
  const answers = await Promise.all(
    Array.from({ length: connections }, async () => repeatRequest(context.open(), hostileToken, until)),
  );
  return `Tokens under unknown keys were answered ${describeAnswers(answers)}; the keys were fetched ${issuer.asked} times.`;
}

/** While there are no keys, tokens cannot be verified: 503. */
const withoutTokens = (all: readonly Question[]): readonly Question[] =>
  all.filter(({ what }) => !what.includes("token"));

await runAttack({
  name: "key set",
  help: `Usage: pnpm key-set

Starts the API on demo data, on the loopback interface, with an issuer of tokens that misbehaves: ${Object.keys(misbehaviours).join(", ")}.
For ${seconds} s each, ${connections} connections send tokens under made-up keys. Then the issuer gives two keys of one name, and fails again while the
flood goes on for ${hostileSeconds} s. Meanwhile a user with a password asks for a list, and from the moment when there are keys somebody with a token.

Exit codes: 0 the other callers were served throughout, 1 they were not, 2 wrong usage.
`,
  environment: {
    AUTH_JWT_SECRET: "",
    AUTH_JWKS_URL: issuer.url,
    AUTH_ISSUER: claims.iss,
    AUTH_AUDIENCE: claims.aud,
    LOG_LEVEL: "error",
  },
  async questions({ url, databaseUrl }) {
    const database = createDatabase({ url: databaseUrl, max: 1 });
    try {
      const passwordHash = await hashPassword("correct horse battery");
      await createUserStore(database).create({ name: "owner", passwordHash, authorities: ["REGISTRY_READ"] });
    } finally {
      await database.close();
    }
    return [listFor("a list by password", url, basic), listFor("a list by token", url, token)];
  },
  questionsBefore: withoutTokens,
  phases: [
    ...Object.entries(misbehaviours).map(([name, misbehave]) => ({
      name: `the issuer ${name}`,
      questions: withoutTokens,
      run: async (context: AttackContext) => {
        issuer.behave(misbehave);
        return flood(context, seconds);
      },
    })),
    {
      name: "the issuer gives two keys of one name",
      questions: withoutTokens,
      run: async (context) => {
        const keys = [other.jwk, ours.jwk].map((jwk) => ({ ...jwk, kid: "one" }));
        issuer.behave((_, response) => response.end(JSON.stringify({ keys })));
        await wait(6_000);
        const request = `GET /v1/proxies?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n\r\n`;
        const answers = await repeatRequest(context.open(), () => request, performance.now() + 2_000);
        return `Tokens of the second key were answered ${describeAnswers([answers])}.`;
      },
    },
    {
      name: "the issuer that gave keys answers 500, and tokens name unknown keys",
      run: async (context) => {
        issuer.behave(misbehaviours["answers 500"]);
        return flood(context, hostileSeconds);
      },
    },
  ],
});
