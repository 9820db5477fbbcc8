import { randomBytes } from "node:crypto";
import { attackPort, connectionAttacks } from "@reports/testing";
import { startFlood } from "./flood-options.ts";
import { attackedUserName } from "./other-callers.ts";
import { attackerAddress, type AttackKind } from "./running-attack.ts";

/** The API refuses an address after this many failed logins per minute. It is the default of LOGIN_FAILURE_LIMIT_PER_MINUTE. */
const loginFailures = 10;

function wrongLogin(): string {
  const guess = randomBytes(6).toString("hex");
  const name = Math.random() < 0.5 ? attackedUserName : `nobody-${guess}`;
  return `Basic ${Buffer.from(`${name}:${guess}`).toString("base64")}`;
}

export const attackKinds: readonly AttackKind[] = [
  ...connectionAttacks.map((attack): AttackKind => ({
    name: attack.name,
    async begin({ origin }) {
      const held = await attackPort(Number(new URL(origin).port), attack, attackerAddress);
      return {
        async end() {
          held[Symbol.dispose]();
          return { seen: `${attack.connections} connections`, unexpected: [] };
        },
      };
    },
  })),
  {
    name: "one address guesses passwords",
    begin: async ({ origin }) =>
      startFlood(`${origin}/v1/proxies?limit=1`, {
        connections: 120,
        nextAuthorization: wrongLogin,
        allowedPerMinute: { 401: loginFailures, 429: Infinity, 503: Infinity },
        isUnderWay: (counts) => counts.has(429) || (counts.get(401) ?? 0) > loginFailures,
      }),
  },
  {
    name: "one caller asks for slow lists",
    async begin({ origin, token, lockDomains }) {
      const unlock = await lockDomains();
      const running = await startFlood(`${origin}/v1/domains?count=exact`, {
        // The API has six database connections for lists. More requests than these can serve have to queue until they time out.
        connections: 40,
        pauseMs: 100,
        nextAuthorization: () => `Bearer ${token}`,
        allowedPerMinute: { 429: Infinity, 503: Infinity },
      });
      return {
        async end() {
          const outcome = await running.end();
          await unlock();
          return outcome;
        },
      };
    },
  },
];
