import { startPostgres, throwAwaySettings, type PostgresServer } from "../postgres/start-postgres.ts";
import { endWithUs, trySignal } from "./end-with-us.ts";

/** An existing database, which stays as it is when the stand ends; or a server of the stand's own. */
export type StandDatabaseOptions =
  | { readonly url: string }
  | {
      /** Makes the new database ready. */
      prepare(databaseUrl: string): Promise<void>;
      /** Folder of initdb and postgres. Default: the programs that the registry ships. */
      readonly bin?: string;
      /** Settings of the server, in addition to those that make it quick. */
      readonly settings?: Readonly<Record<string, string>>;
    };

/** The database of a stand. */
export interface StandDatabase extends AsyncDisposable {
  readonly url: string;
  /** Null if the database was given. */
  readonly server: PostgresServer | null;
}

/** Opens the given database, or starts a server and makes its database ready. */
export async function openStandDatabase(options: StandDatabaseOptions): Promise<StandDatabase> {
  if ("url" in options) return { url: options.url, server: null, [Symbol.asyncDispose]: async () => undefined };
  const { bin, settings } = options;
  const server = await startPostgres({ bin, settings: { ...throwAwaySettings, ...settings } });
  const forget = endWithUs({ kill: () => trySignal(server.pid, "SIGQUIT") });
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
  return { url: server.url, server, [Symbol.asyncDispose]: stop };
}
