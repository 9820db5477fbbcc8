import type { Gateway } from "@reports/client";
import type { Output } from "./output/output.ts";

/** What every command works with. */
export interface CommandContext {
  /** The gateway that the environment names; connects to nothing yet. Throws a CommandError where the environment is wrong. */
  gateway(): Gateway;
  readonly output: Output;
  /** Aborted, with an InterruptedError, by the first Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Aborted, with a CommandError, once the service asks for more patience than somebody at a prompt has. */
  readonly impatience: AbortSignal;
  /** The words with which this command was called, behind its name. */
  readonly words: readonly string[];
  /** How this command is called, for commands to be copied from what it says: `reports`. */
  readonly name: string;
}
