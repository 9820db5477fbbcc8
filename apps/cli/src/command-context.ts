import type { Gateway } from "@reports/client";
import type { Command } from "commander";
import type { Environment } from "./connection.ts";
import type { CommandOutput } from "./output/command-output.ts";

export interface CommandContext {
  readonly environment: Environment;
  connect(url: string, token: string): Gateway;
  /** Returns a client for the gateway that is set by flags, environment or profile. Sends no request. Throws a CommandError if a setting is wrong. */
  gateway(): Gateway;
  readonly output: CommandOutput;
  readonly interrupted: AbortSignal;
  /** Aborts with a CommandError when the service has been unavailable, or asks to wait, for more than 15 s. */
  readonly giveUp: AbortSignal;
  readonly signal: AbortSignal;
  readonly words: readonly string[];
  /** How a person calls the program, such as `reports` or `npm exec reports`. Commands in messages start with it. */
  readonly name: string;
}

export function readOutputFormat(command: Command): { readonly json: boolean; readonly headings: boolean } {
  const { headings } = command.optsWithGlobals<{ readonly headings?: boolean }>();
  return { json: hasJsonFlag(command), headings: headings === true };
}

export function hasJsonFlag(command: Command): boolean {
  return command.optsWithGlobals<{ readonly json?: boolean }>().json === true;
}
