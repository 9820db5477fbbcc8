import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { CommandFailure, runCommand, type CommandContext } from "./command-line.ts";
import { startApi } from "./running-api.ts";

const help = `Usage: pnpm slow-clients

Starts the API on demo data, on the loopback interface, and holds it with slowhttptest (Debian's): slow headers, slow bodies and slow
readers, 400 connections each for 20 s. Meanwhile another client reads a list every 100 ms; each of its requests must be answered.

Exit codes: 0 the other client was served throughout, 1 it was not, 2 wrong usage.
`;

const attacks = [
  { name: "slow headers", parameters: ["-H", "-i", "5"] },
  { name: "slow bodies", parameters: ["-B", "-i", "5", "-s", "8192", "-t", "POST"] },
  { name: "slow readers", parameters: ["-X", "-w", "10", "-y", "20", "-n", "5", "-z", "32", "-k", "3"] },
] as const;

await runCommand(async ({ args }: CommandContext) => {
  const { values } = parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } } });
  if (values.help === true) return void process.stdout.write(help);
  const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
  await using api = await startApi({
    proxies: 60,
    domains: 300,
    onProgress: say,
    environment: { READ_LIMIT_PER_MINUTE: "0" },
  });
  const failed: string[] = [];
  for (const { name, parameters } of attacks) {
    const attack = spawn(
      "slowhttptest",
      [...parameters, "-c", "400", "-r", "200", "-l", "20", "-u", `${api.url}/openapi.json`],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    attack.on("error", () => undefined);
    const served = await serveMeanwhile(api.url, api.token, once(attack, "close"));
    if (attack.pid === undefined)
      throw new CommandFailure("slowhttptest is not installed: apt-get install slowhttptest.");
    say(
      `${name}: ${served.answered} of ${served.asked} requests of the other client were answered, the slowest in ${served.slowestMs} ms.`,
    );
    if (served.answered < served.asked || served.asked === 0) failed.push(name);
  }
  if (failed.length > 0) throw new CommandFailure(`Another client was not served beside: ${failed.join(", ")}.`);
});

/** Reads a list every 100 ms until the attack is over. */
async function serveMeanwhile(url: string, token: string, over: Promise<unknown>) {
  const seen = { asked: 0, answered: 0, slowestMs: 0 };
  const attack = { isOver: false };
  const ending = over.finally(() => (attack.isOver = true));
  while (!attack.isOver) {
    const startedAt = performance.now();
    seen.asked += 1;
    const answer = await fetch(`${url}/v1/proxies?limit=10`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(10_000),
    }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) seen.answered += 1;
    seen.slowestMs = Math.max(seen.slowestMs, Math.round(performance.now() - startedAt));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await ending;
  return seen;
}
