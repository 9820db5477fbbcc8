import postgres from "postgres";
import { startPostgres, throwAwayPostgresSettings, type PostgresServer } from "./start-postgres.ts";

export type PostgresShards = Awaited<ReturnType<typeof startPostgresShards>>;

export async function startPostgresShards(statements: readonly string[]) {
  const servers: PostgresServer[] = [];
  const stop = async (): Promise<void> => {
    for (const server of servers) await server.stop("immediate", { keepData: false });
  };
  try {
    for (const statement of statements) {
      const server = await startPostgres({ settings: throwAwayPostgresSettings });
      servers.push(server);
      await runStatement(server.url, statement);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    servers,
    connect: async (databaseUrl: string) => {
      const lines = servers.map(({ url }, index) => {
        const { hostname, port, pathname, username, password } = new URL(url);
        const name = `shard_${index + 1}`;
        return `
          create server ${name} foreign data wrapper postgres_fdw
            options (host '${hostname}', port '${port}', dbname '${pathname.slice(1)}', connect_timeout '60');
          create user mapping for current_user server ${name} options (user '${username}', password '${password}');`;
      });
      await runStatement(databaseUrl, `create extension if not exists postgres_fdw;${lines.join("")}`);
    },
    [Symbol.asyncDispose]: stop,
  };
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await client.unsafe(statement);
  } finally {
    await client.end();
  }
}
