import { spawn } from "node:child_process";
import { CommandFailure } from "@reports/commands";

/** What `npm start` has printed for whoever reads it. */
export interface StartedGateway extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly readerPassword: string;
}

/** Runs the command that starts everything, until it says that it is ready. Disposing stops it in order. */
export async function startFromReadme(
  command: string,
  place: { readonly folder: string; readonly environment: Readonly<Record<string, string | undefined>> },
): Promise<StartedGateway> {
  // In a group of its own: npm hands signals on to nobody.
  const child = spawn("bash", ["-c", command], {
    cwd: place.folder,
    env: place.environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGTERM");
    await ended;
  };
  const output = await new Promise<string>((resolve, reject) => {
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes("Ctrl-C stops everything in order.")) resolve(said);
      });
    }
    void ended.then((code) => reject(new CommandFailure(`npm start ended with ${code} before it was ready:\n${said}`)));
  });
  const databaseUrl = /psql '([^']+)'/.exec(output)?.[1];
  const readerPassword = /^ +reader +(\S+)/m.exec(output)?.[1];
  if (databaseUrl !== undefined && readerPassword !== undefined)
    return { databaseUrl, readerPassword, [Symbol.asyncDispose]: stop };
  await stop();
  throw new CommandFailure(`npm start does not print the database's address and the reader's password:\n${output}`);
}
