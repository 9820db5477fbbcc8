import type { Gateway } from "@reports/client";
import type { Command } from "commander";
import type { Environment } from "./connection.ts";
import type { Output } from "./output/output.ts";

export interface CommandContext {
  readonly environment: Environment;
  /** Returns a client for a gateway that a command names. */
  connect(url: string, token: string): Gateway;
  /** Returns a client for the gateway that the flags, the environment or a profile name. Opens no connection. Throws a CommandError if a setting is wrong. */
  gateway(): Gateway;
  readonly output: Output;
  /** Aborts with an InterruptedError at the first Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Aborts with a CommandError if the service has been unavailable, or asks to wait, for longer than a person waits at a prompt. */
  readonly giveUp: AbortSignal;
  /** Aborts when `interrupted` or `giveUp` aborts. */
  readonly signal: AbortSignal;
  /** The arguments of this process, without the name of the program. */
  readonly words: readonly string[];
  /** How a person calls the program, for commands in messages: `reports`. */
  readonly name: string;
}

/** Returns how the lists of a command are printed. */
export function rowFormatOf(command: Command): { readonly json: boolean; readonly headings: boolean } {
  const { headings } = command.optsWithGlobals<{ readonly headings?: boolean }>();
  return { json: isJson(command), headings: headings === true };
}

export function isJson(command: Command): boolean {
  return command.optsWithGlobals<{ readonly json?: boolean }>().json === true;
}
