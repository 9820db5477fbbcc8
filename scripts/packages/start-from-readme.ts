import { CommandFailure } from "@reports/commands";
import { isProcessAlive, startProcess, signalIfRunning, waitFor, type ProcessOptions } from "@reports/testing";

/** A gateway started by `npm start`, with values that it prints. */
export interface StartedGateway extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly readerPassword: string;
}

/** Runs the command and resolves when the gateway is ready. Disposing stops it with SIGTERM. */
export async function startFromReadme(
  command: string,
  options: Pick<ProcessOptions, "cwd" | "environment">,
): Promise<StartedGateway> {
  const started = startProcess({ name: "npm start", program: "bash", args: ["-c", command], ...options });
  const group = -started.pid!;
  const stop = async (): Promise<void> => {
    // The signal goes to the whole process group, because npm does not forward signals.
    signalIfRunning(group, "SIGTERM");
    await waitFor(() => !isProcessAlive(group), { what: "npm start to stop", timeoutMs: 120_000 });
  };
  try {
    await started.waitForLog("Ctrl-C stops everything in order.", 300_000);
    const databaseUrl = /psql '([^']+)'/.exec(started.log())?.[1];
    const readerPassword = /^ +reader +(\S+)/m.exec(started.log())?.[1];
    if (databaseUrl === undefined || readerPassword === undefined)
      throw new CommandFailure(
        `npm start does not print the database's address and the reader's password:\n${started.log()}`,
      );
    return { databaseUrl, readerPassword, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error instanceof CommandFailure ? error : new CommandFailure((error as Error).message);
  }
}
