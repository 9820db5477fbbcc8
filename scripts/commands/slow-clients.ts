import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { CommandFailure, runCommand, type CommandContext } from "@reports/commands";
import { startApi } from "./running-api.ts";

const help = `Usage: pnpm slow-clients

Starts the API on demo data, on the loopback interface, and holds it with slowhttptest (Debian's): slow headers, slow bodies of a caller
whom it knows, and slow readers, 400 connections each for at most 45 s. Meanwhile another client reads a list every 100 ms; each of its
requests must be answered.

Exit codes: 0 the other client was served throughout, 1 it was not, 2 wrong usage.
`;

/**
 * Everything at its default but what defends against slow readers, which would take longer than the attack, and the share of an address:
 * attack and other client come from the same one.
 */
const environment = {
  CONNECTION_LIMIT_PER_ADDRESS: "0",
  READ_LIMIT_PER_MINUTE: "0",
  SLOW_READER_BYTES_PER_SECOND: "100000",
  SLOW_READER_PATIENCE_SECONDS: "10",
};

function attacksOn(url: string, token: string) {
  // slowhttptest has no option for a header of one's own, and writes this value as it is given.
  const credentials = `*/*\r\nAuthorization: Bearer ${token}`;
  const attacks = [
    { name: "slow headers", options: "-H -i 5 -l 20", extra: [], path: "/v1/proxies" },
    {
      name: "slow bodies",
      options: "-B -i 5 -s 8192 -l 45 -t POST -f application/json",
      extra: ["-m", credentials],
      path: "/v1/reports",
    },
    // Ten requests a connection, because the kernel takes more than a megabyte of answers that nobody reads.
    { name: "slow readers", options: "-X -w 10 -y 20 -n 5 -z 32 -k 10 -l 45", extra: [], path: "/openapi.json" },
  ];
  return attacks.map(({ name, options, extra, path }) => ({
    name,
    parameters: [...options.split(" "), ...extra, "-u", `${url}${path}`],
  }));
}

await runCommand(async ({ args }: CommandContext) => {
  const { values } = parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } } });
  if (values.help === true) return void process.stdout.write(help);
  const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
  await using api = await startApi({
    proxies: 60,
    domains: 300,
    onProgress: say,
    environment,
  });
  const failed: string[] = [];
  for (const { name, parameters } of attacksOn(api.url, api.token)) {
    const attack = spawn("slowhttptest", [...parameters, "-c", "400", "-r", "200"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    attack.on("error", () => undefined);
    const told: Buffer[] = [];
    attack.stdout.on("data", (chunk: Buffer) => told.push(chunk));
    const served = await serveMeanwhile(api.url, api.token, once(attack, "close"));
    if (attack.pid === undefined)
      throw new CommandFailure("slowhttptest is not installed: apt-get install slowhttptest.");
    say(
      `${name}: ${served.answered} of ${served.asked} requests of the other client were answered, the slowest in ${served.slowestMs} ms. ${endOf(Buffer.concat(told).toString())}`,
    );
    if (served.answered < served.asked || served.asked === 0) failed.push(name);
  }
  if (failed.length > 0) throw new CommandFailure(`Another client was not served beside: ${failed.join(", ")}.`);
});

/** What slowhttptest says at its end. */
function endOf(told: string): string {
  const [, seconds = "?", reason = "?"] =
    /Test ended on (\d+)th second\s+Exit status: *(.+)/.exec(stripVTControlCharacters(told)) ?? [];
  return `The attack ended after ${seconds} s: ${reason.trim().toLowerCase()}.`;
}

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
