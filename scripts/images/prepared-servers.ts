import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { debianPostgresFolder, startMinio, startPostgres } from "@reports/testing";
import { runProgram } from "../packages/run-program.ts";
import { createEnvironmentWithGoPrograms } from "./go-programs.ts";
import type { Environment } from "./image.ts";

const deploy = join(import.meta.dirname, "../../deploy");

export interface PreparedServers extends AsyncDisposable {
  readonly superuserUrl: string;
  readonly owner: Environment;
  readonly api: Environment;
  readonly worker: Environment;
}

export async function startPreparedServers(folder: string): Promise<PreparedServers> {
  const postgres = await startPostgres({ bin: debianPostgresFolder });
  const minio = await startMinio();
  const stop = async (): Promise<void> => {
    await Promise.all([postgres.stop(), minio?.stop()]);
  };
  try {
    if (minio === null) throw new CommandExitError("There is no MinIO server: .ci/run says how it is installed.");
    const secret = (): string => randomBytes(16).toString("hex");
    const passwords = { OWNER_PASSWORD: secret(), API_PASSWORD: secret(), WORKER_PASSWORD: secret() };
    const keys = { API_SECRET_KEY: secret(), WORKER_SECRET_KEY: secret() };
    const superuser = new URL(postgres.url);
    const createUsers = async (): Promise<unknown> =>
      runProgram(
        {
          folder,
          environment: {
            ...process.env,
            ...passwords,
            PGHOST: superuser.hostname,
            PGPORT: superuser.port,
            PGPASSWORD: superuser.password,
          },
        },
        "sh",
        [join(deploy, "postgres/create-users.sh")],
      );
    await createUsers();
    // A second run of the script fails, because the users exist. Postgres then logs the failed statements, which must not contain passwords.
    const isRefused = await createUsers().then(
      () => false,
      () => true,
    );
    const log = await readFile(postgres.logPath, "utf8");
    if (!isRefused || Object.values(passwords).some((password) => log.includes(password)))
      throw new CommandExitError(
        "create-users.sh continued although a user existed, or Postgres has logged a password.",
      );
    // `docker compose up` runs this script again at every start, so a second run must succeed.
    for (let time = 0; time < 2; time += 1) {
      const environment = {
        ...createEnvironmentWithGoPrograms(),
        ...keys,
        MC_CONFIG_DIR: join(folder, "mc"),
        MINIO_URL: minio.endpoint,
        MINIO_ROOT_USER: minio.accessKey,
        MINIO_ROOT_PASSWORD: minio.secretKey,
      };
      await runProgram({ folder, environment }, "sh", [join(deploy, "minio/create-users.sh")]);
    }
    const database = (user: string, password: string) =>
      `postgres://${user}:${password}@127.0.0.1:${postgres.port}/reports`;
    const store = { MINIO_ENDPOINT: minio.endpoint, MINIO_BUCKET: "reports" };
    return {
      superuserUrl: postgres.url,
      owner: { DATABASE_URL: database("gateway_owner", passwords.OWNER_PASSWORD) },
      api: {
        ...store,
        DATABASE_URL: database("gateway_api", passwords.API_PASSWORD),
        MINIO_ACCESS_KEY: "gateway-api",
        MINIO_SECRET_KEY: keys.API_SECRET_KEY,
        AUTH_JWT_SECRET: randomBytes(32).toString("hex"),
      },
      worker: {
        ...store,
        DATABASE_URL: database("gateway_worker", passwords.WORKER_PASSWORD),
        MINIO_ACCESS_KEY: "gateway-worker",
        MINIO_SECRET_KEY: keys.WORKER_SECRET_KEY,
      },
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
