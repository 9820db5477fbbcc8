import { ConfigurationError, StartupError, configurationExitCode } from "./startup-error.ts";

/**
 * Runs a process's main function. When it rejects, says why on standard error, without a stack where the surroundings and not
 * the code are to blame, and exits: 78 when the configuration is wrong, else 1.
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
