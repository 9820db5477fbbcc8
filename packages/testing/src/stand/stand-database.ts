import { startPostgres, throwAwayPostgresSettings } from "../postgres/start-postgres.ts";
import { killOnExit, signalIfRunning } from "./kill-on-exit.ts";

export type StandDatabaseOptions =
  | { readonly url: string }
  | {
      prepare(databaseUrl: string): Promise<void>;
      readonly bin?: string;
      readonly settings?: Readonly<Record<string, string>>;
    };

export async function openStandDatabase(options: StandDatabaseOptions) {
  if ("url" in options) return { url: options.url, [Symbol.asyncDispose]: async () => undefined };
  const { bin, settings } = options;
  const server = await startPostgres({ bin, settings: { ...throwAwayPostgresSettings, ...settings } });
  const forget = killOnExit({ kill: () => signalIfRunning(server.pid, "SIGQUIT") });
  const stop = async (): Promise<void> => {
    await server.stop("immediate");
    forget();
  };
  try {
    await options.prepare(server.url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: server.url, [Symbol.asyncDispose]: stop };
}
