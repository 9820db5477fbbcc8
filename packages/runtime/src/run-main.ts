import { ConfigurationError, StartupError, configurationExitCode } from "./startup-error.ts";

/** Prints a rejection, without a stack if it is not a bug, and exits: 78 for a wrong configuration, else 1. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const text =
      error instanceof StartupError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(error instanceof ConfigurationError ? configurationExitCode : 1);
  }
}
