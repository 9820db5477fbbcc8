import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { CommandFailure, runCommand } from "@reports/commands";
import { startApi, type RunningApi } from "../running-api.ts";
import { askMeanwhile, describeSeen, type Question } from "./meanwhile.ts";

/** The address that attacks come from, so that the other caller has another one. All of 127.0.0.0/8 is the loopback interface on Linux. */
const attackersAddress = "127.0.0.2";

/** What an attack works with. */
export interface AttackContext {
  readonly url: string;
  readonly port: number;
  /** A bearer token with every authority. */
  readonly token: string;
  /** The same of somebody else. */
  tokenOf(subject: string): string;
  /** Opens a connection from the attacker's address, or from another one of 127.0.0.0/8, which reads nothing unless it is told to. */
  open(address?: string): Socket;
  /** Value of a counter without labels; 0 where there is none. */
  readCounter(name: string): Promise<number>;
}

/** A part of an attack, during which another caller is asked what it sees. */
export interface AttackPhase {
  readonly name: string;
  /** Chooses from what other callers ask for; all of it unless it is said. */
  readonly questions?: (all: readonly Question[]) => readonly Question[];
  /** Resolves when it is over, after seconds; what it resolves to is told. */
  run(context: AttackContext): Promise<string>;
}

/** One attack as a command. */
export interface Attack {
  readonly name: string;
  readonly help: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** How large the register is; small unless it is said. */
  readonly data?: { readonly proxies: number; readonly domains: number };
  /** Prepares what other callers ask for beside /health/live; a list, with a token of every authority, unless it is said. */
  readonly questions?: (api: RunningApi) => Promise<readonly Question[]>;
  /** Chooses from them what is asked before the attack; all of them unless it is said. */
  readonly questionsBefore?: (all: readonly Question[]) => readonly Question[];
}

/** Runs an attack against an API of its own on the loopback interface, and tells what another caller saw before and meanwhile. */
export async function runAttack(
  attack: Attack & (Pick<AttackPhase, "run"> | { readonly phases: readonly AttackPhase[] }),
): Promise<void> {
  await runCommand(async ({ args }) => {
    const { values } = parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } } });
    if (values.help === true) return void process.stdout.write(attack.help);
    const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
    await using api = await startApi({
      ...(attack.data ?? { proxies: 60, domains: 300 }),
      onProgress: say,
      environment: { READ_LIMIT_PER_MINUTE: "0", LOG_LEVEL: "error", ...attack.environment },
    });
    const questions = [...liveOf(api), ...(await (attack.questions ?? aList)(api))];
    say(
      describeSeen(
        "before",
        await askMeanwhile(attack.questionsBefore?.(questions) ?? questions, async () => wait(5_000)),
      ),
    );
    const sockets: Socket[] = [];
    const open = (localAddress = attackersAddress): Socket => {
      const socket = connect({
        port: Number(new URL(api.url).port),
        host: "127.0.0.1",
        localAddress,
      });
      socket.on("error", () => undefined);
      sockets.push(socket);
      return socket.pause();
    };
    const context: AttackContext = {
      port: Number(new URL(api.url).port),
      url: api.url,
      token: api.token,
      tokenOf: (subject) => api.tokenOf(subject),
      open,
      readCounter: async (name) => readCounter(api, name),
    };
    let isServed = true;
    const phases: readonly AttackPhase[] =
      "phases" in attack ? attack.phases : [{ name: attack.name, run: attack.run }];
    for (const phase of phases) {
      let outcome = "";
      const work = async (): Promise<void> => {
        outcome = await phase.run(context);
      };
      const seen = await askMeanwhile(phase.questions?.(questions) ?? questions, work);
      say(`${describeSeen(phase.name, seen)}. ${outcome} The API's memory: ${await residentMebibytes(api)} MiB.`);
      for (const socket of sockets.splice(0)) socket.destroy();
      isServed &&= seen.every(({ asked, answered }) => answered === asked);
    }
    if (!isServed) throw new CommandFailure("Another caller was not served.");
  });
}

function liveOf({ url }: RunningApi): readonly Question[] {
  return [{ what: "/health/live", url: `${url}/health/live` }];
}

async function aList({ url, token }: RunningApi): Promise<readonly Question[]> {
  return [listFor("a list of ten", url, `Bearer ${token}`)];
}

/** A cheap read, with these credentials. */
export function listFor(what: string, url: string, authorization: string): Question {
  return { what, url: `${url}/v1/proxies?limit=10`, headers: { Authorization: authorization } };
}

async function readCounter({ url }: RunningApi, name: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(metrics)?.[1] ?? 0);
}

async function residentMebibytes({ pid }: RunningApi): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}
