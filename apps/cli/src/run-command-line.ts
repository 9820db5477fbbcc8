import { readFileSync } from "node:fs";
import type { Gateway } from "@reports/client";
import type { Command } from "commander";
import { readCommandWords } from "./command-words.ts";
import { connect, createClient } from "./connection.ts";
import { createProgram } from "./create-program.ts";
import { describeError, describeUnwritable } from "./describe-error.ts";
import { exitCodes } from "./exit-code.ts";
import { watchInterrupts } from "./interrupt.ts";
import { createOutput } from "./output/output.ts";
import { watchFailures } from "./watch-failures.ts";

/** Whether the program runs from a checkout. Its messages then say `npm exec`, because `npx reports` would run another program. */
const isCheckout = import.meta.filename.endsWith(".ts");

/** Runs the command line of this process, and ends the process with its exit code. */
export async function runCommandLine(): Promise<void> {
  const { stdout, stderr, env } = process;
  // Write callbacks report errors of standard output. If standard error fails, no error can be shown.
  for (const stream of [stdout, stderr]) stream.on("error", () => undefined);
  const output = createOutput(
    { stdout, stderr },
    {
      now: () => performance.now(),
      terminal: env["TERM"],
      onUnwritable(error) {
        const { exitCode, lines } = describeUnwritable(error);
        for (const line of lines) output.say(line);
        process.exit(exitCode);
      },
    },
  );
  const interrupted = watchInterrupts(() => output.bar.clear());
  const failures = watchFailures(output.say, () => performance.now());
  let gateway: Gateway | undefined;
  const program: Command = createProgram(
    {
      environment: env,
      connect: (url, token) => connect(url, () => token, failures.fetch),
      gateway: () => (gateway ??= createClient(env, failures.fetch, program.opts<{ profile?: string }>().profile)),
      output,
      interrupted,
      giveUp: failures.giveUp,
      signal: AbortSignal.any([interrupted, failures.giveUp]),
      words: process.argv.slice(2),
      name: isCheckout && env["npm_command"] === "exec" ? "npm exec --no -- reports" : "reports",
    },
    readVersion(),
  );
  let exitCode: number = exitCodes.done;
  try {
    // An unknown command is refused although --help or --version follows it.
    const words = process.argv.slice(2);
    await program.parseAsync(readCommandWords(program, words).unknown ?? words, { from: "user" });
  } catch (error) {
    const described = describeError(error);
    for (const line of described.lines) output.say(line);
    exitCode = described.exitCode;
  }
  // An interrupt ends the process even if a slow reader has not read all output.
  interrupted.addEventListener("abort", () => process.exit(describeError(interrupted.reason).exitCode));
  await output.flushed();
  // exit is needed, because abandoned requests of the client would keep the process running.
  process.exit(exitCode);
}

function readVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
