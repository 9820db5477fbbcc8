import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { parseArgs } from "node:util";
import { CommandFailure, runCommand } from "../command-line.ts";
import { startApi, type RunningApi } from "../running-api.ts";
import { askMeanwhile, describeSeen } from "./meanwhile.ts";

/** The address that attacks come from, so that the other caller has another one. All of 127.0.0.0/8 is the loopback interface on Linux. */
const attackersAddress = "127.0.0.2";

/** What an attack works with. */
export interface AttackContext {
  readonly port: number;
  /** A bearer token with every authority. */
  readonly token: string;
  /** Opens a connection from the attacker's address, which reads nothing unless it is told to. */
  open(): Socket;
}

/** One attack as a command. */
export interface Attack {
  readonly name: string;
  readonly help: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Resolves when it is over, after seconds; what it resolves to is told. */
  run(context: AttackContext): Promise<string>;
}

/** Runs an attack against an API of its own on the loopback interface, and tells what another caller saw before and meanwhile. */
export async function runAttack(attack: Attack): Promise<void> {
  await runCommand(async ({ args }) => {
    const { values } = parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } } });
    if (values.help === true) return void process.stdout.write(attack.help);
    const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
    await using api = await startApi({
      proxies: 60,
      domains: 300,
      onProgress: say,
      environment: { READ_LIMIT_PER_MINUTE: "0", ...attack.environment },
    });
    say(
      describeSeen(
        "before",
        await askMeanwhile(questionsOf(api), new Promise((resolve) => setTimeout(resolve, 5_000))),
      ),
    );
    const sockets: Socket[] = [];
    const open = (): Socket => {
      const socket = connect({
        port: Number(new URL(api.url).port),
        host: "127.0.0.1",
        localAddress: attackersAddress,
      });
      socket.on("error", () => undefined);
      sockets.push(socket);
      return socket.pause();
    };
    let outcome = "";
    const work = (async () => {
      outcome = await attack.run({ port: Number(new URL(api.url).port), token: api.token, open });
    })();
    const seen = await askMeanwhile(questionsOf(api), work);
    say(`${describeSeen(attack.name, seen)}. ${outcome} The API's memory: ${await residentMebibytes(api)} MiB.`);
    for (const socket of sockets) socket.destroy();
    if (seen.some(({ asked, answered }) => answered < asked))
      throw new CommandFailure("Another caller was not served.");
  });
}

function questionsOf({ url, token }: RunningApi) {
  return [
    { what: "/health/live", url: `${url}/health/live` },
    { what: "a list of ten", url: `${url}/v1/proxies?limit=10`, headers: { Authorization: `Bearer ${token}` } },
  ];
}

async function residentMebibytes({ pid }: RunningApi): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}
