import { spawn, type ChildProcess } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyInventory, migrateDatabase } from "@reports/db";
import { findFreePort, generateDemoInventory, startPostgres, throwAwaySettings, waitFor } from "@reports/testing";

const main = fileURLToPath(new URL("../../apps/api/src/main.ts", import.meta.url));

/** The API on a database of its own, for commands that try it from outside. */
export interface RunningApi extends AsyncDisposable {
  readonly url: string;
  readonly databaseUrl: string;
  /** A bearer token with every authority, good for a day. */
  readonly token: string;
  /** The same of somebody else. */
  tokenOf(subject: string): string;
  readonly pid: number;
}

/** Starts Postgres with demo data and the API on it, on ports that are free. Disposing ends both and removes what they wrote. */
export async function startApi(options: {
  readonly proxies: number;
  readonly domains: number;
  readonly onProgress?: (sentence: string) => void;
  readonly environment?: Readonly<Record<string, string>>;
}): Promise<RunningApi> {
  const folder = await mkdtemp(join(tmpdir(), "reports-api-"));
  const jwtSecret = randomBytes(32).toString("base64url");
  options.onProgress?.("Starting Postgres.");
  const postgres = await startPostgres({
    settings: { ...throwAwaySettings, shared_buffers: "256MB", max_wal_size: "4GB" },
  });
  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await postgres.stop("fast");
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await migrateDatabase({ databaseUrl: postgres.url });
    options.onProgress?.(`Loading ${options.proxies} proxies and ${options.domains} domains.`);
    await copyInventory({ databaseUrl: postgres.url, ...generateDemoInventory(options) });
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    options.onProgress?.("Starting the API.");
    child = spawn(process.execPath, ["--conditions=@reports/source", main], {
      env: {
        PATH: process.env["PATH"],
        DATABASE_URL: postgres.url,
        STORAGE_DIR: join(folder, "files"),
        AUTH_JWT_SECRET: jwtSecret,
        HOST: "127.0.0.1",
        PORT: String(port),
        LOG_LEVEL: "warn",
        ...options.environment,
      },
      stdio: ["ignore", "inherit", "inherit"],
    });
    await untilReady(url, child);
    return {
      url,
      databaseUrl: postgres.url,
      token: signToken(jwtSecret, "command"),
      tokenOf: (subject) => signToken(jwtSecret, subject),
      pid: child.pid!,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  await waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`The API ended with code ${child.exitCode} while it started.`);
      return fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    },
    { what: "the API to be ready", timeoutMs: 60_000 },
  );
}

function signToken(secret: string, subject: string): string {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const authorities = ["REPORT_PROXY", "REPORT_PROXY_DOMAIN", "REGISTRY_READ", "REGISTRY_WRITE", "REPORTS_ADMIN"];
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ sub: subject, iat: now, exp: now + 86_400, authorities })}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
