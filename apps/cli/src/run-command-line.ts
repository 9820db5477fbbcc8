import { readFileSync } from "node:fs";
import type { Gateway } from "@reports/client";
import { CommanderError, type Command } from "commander";
import { parseCommandWords } from "./parsed-command.ts";
import { createConfiguredGateway, createGatewayWithToken } from "./connection.ts";
import { createProgram } from "./create-program.ts";
import { describeError, describeWriteError } from "./describe-error.ts";
import { exitCodes } from "./exit-code.ts";
import { describeUsageError } from "./help/describe-usage-error.ts";
import { createInterruptSignal } from "./interrupt.ts";
import { createOutput } from "./output/command-output.ts";
import { watchFailures } from "./watch-failures.ts";

/** In a checkout, messages say `npm exec reports`, because `npx reports` would run an unrelated package of that name. */
const isCheckout = import.meta.filename.endsWith(".ts");

export async function runCommandLine(): Promise<void> {
  const { stdout, stderr, env } = process;
  // Errors of standard output reach the callbacks of writes. An error of standard error cannot be shown anywhere.
  for (const stream of [stdout, stderr]) stream.on("error", () => undefined);
  const output = createOutput(
    { stdout, stderr },
    {
      now: () => performance.now(),
      terminal: env["TERM"],
      onUnwritable(error) {
        const { exitCode, lines } = describeWriteError(error);
        for (const line of lines) output.say(line);
        process.exit(exitCode);
      },
    },
  );
  const interrupted = createInterruptSignal(() => output.bar.clear());
  const failures = watchFailures(output.say, () => performance.now());
  let gateway: Gateway | undefined;
  const words = process.argv.slice(2);
  const name = isCheckout && env["npm_command"] === "exec" ? "npm exec --no -- reports" : "reports";
  const program: Command = createProgram(
    {
      environment: env,
      connect: (url, token) => createGatewayWithToken(url, () => token, failures.fetch),
      gateway: () =>
        (gateway ??= createConfiguredGateway(env, failures.fetch, program.opts<{ profile?: string }>().profile)),
      output,
      interrupted,
      giveUp: failures.giveUp,
      signal: AbortSignal.any([interrupted, failures.giveUp]),
      words,
      name,
    },
    readVersion(),
  );
  let exitCode: number = exitCodes.done;
  try {
    // commander would accept an unknown command that --help or --version follows. So it gets only the names, and refuses the unknown one.
    await program.parseAsync(parseCommandWords(program, words).unknown ?? words, { from: "user" });
  } catch (error) {
    const described =
      error instanceof CommanderError ? describeUsageError(error, { program, words, name }) : describeError(error);
    for (const line of described.lines) output.say(line);
    exitCode = described.exitCode;
  }
  // An interrupt ends the process even if a slow reader has not read all output.
  interrupted.addEventListener("abort", () => process.exit(describeError(interrupted.reason).exitCode));
  await output.flushed();
  // Requests that were abandoned would otherwise keep the process running.
  process.exit(exitCode);
}

function readVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
