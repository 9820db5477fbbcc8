import { ConfigurationError, StartupError, configurationExitCode } from "./startup-error.ts";

/**
 * Runs the main function of a program. If it rejects, prints the error and exits with 78 for ConfigurationError, or else with 1. A StartupError is
 * printed without its stack, any other error with its stack.
 */
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
