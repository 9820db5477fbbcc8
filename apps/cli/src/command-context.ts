import type { Gateway } from "@reports/client";
import type { Command } from "commander";
import type { Output } from "./output/output.ts";

export interface CommandContext {
  /** The gateway that the environment names, without a connection yet. Throws a CommandError if the environment is wrong. */
  gateway(): Gateway;
  readonly output: Output;
  /** Aborts with an InterruptedError at the first Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Aborts with a CommandError once the service asks to wait longer than a person at a prompt does. */
  readonly giveUp: AbortSignal;
  /** Aborts as either of them. */
  readonly signal: AbortSignal;
  /** The words of the call after the command. */
  readonly words: readonly string[];
  /** How the program is called, for commands in its messages: `reports`. */
  readonly name: string;
}

export function isJson(command: Command): boolean {
  return command.optsWithGlobals<{ readonly json?: boolean }>().json === true;
}
