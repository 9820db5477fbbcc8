import { CommandExitError } from "@reports/commands";
import { isProcessAlive, startProcess, signalIfRunning, waitFor, type StandProcessOptions } from "@reports/testing";

export interface StartedGateway extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly readerPassword: string;
}

export async function startFromReadme(
  command: string,
  options: Pick<StandProcessOptions, "cwd" | "environment">,
): Promise<StartedGateway> {
  const started = startProcess({ name: "npm start", program: "bash", args: ["-c", command], ...options });
  const group = -started.pid!;
  const stop = async (): Promise<void> => {
    // npm does not forward signals to `npm start`, so the signal goes to the whole process group.
    signalIfRunning(group, "SIGTERM");
    await waitFor(() => !isProcessAlive(group), { what: "npm start to stop", timeoutMs: 120_000 });
  };
  try {
    await started.waitForLog("Ctrl-C stops everything in order.", 300_000);
    const databaseUrl = /psql '([^']+)'/.exec(started.log())?.[1];
    const readerPassword = /^ +reader +(\S+)/m.exec(started.log())?.[1];
    if (databaseUrl === undefined || readerPassword === undefined)
      throw new CommandExitError(
        `npm start does not print the database's address and the reader's password:\n${started.log()}`,
      );
    return { databaseUrl, readerPassword, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error instanceof CommandExitError ? error : new CommandExitError((error as Error).message);
  }
}
