import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { debianPostgresFolder, killOnExit, signalIfRunning, startMinio, startPostgres } from "@reports/testing";
import { createServerCertificates } from "./server-certificates.ts";

export type TlsServers = Awaited<ReturnType<typeof startTlsServers>>;

/** Starts Debian's Postgres and MinIO, with certificates of an internal authority that name `hosts`. */
export async function startTlsServers(folder: string, hosts?: readonly string[]) {
  await using parts = new AsyncDisposableStack();
  const certificates = parts.use(await createServerCertificates(folder, hosts));
  const [authority] = certificates.authorities;
  await certificates.trust(authority);
  await certificates.issue(authority);
  const { certificate, key } = certificates.shown.postgres;
  const postgresSettings = { ssl: "on", ssl_cert_file: certificate, ssl_key_file: key };
  const postgres = await startPostgres({ bin: debianPostgresFolder, settings: postgresSettings });
  parts.defer(killOnExit({ kill: () => signalIfRunning(postgres.pid, "SIGQUIT") }));
  parts.defer(async () => postgres.stop());
  const minio = await startMinio({ certificates: join(folder, "etc/minio") });
  if (minio === null) throw new CommandExitError("There is no MinIO server: .ci/run says how it is installed.");
  parts.defer(async () => minio.stop());
  const owned = parts.move();
  return { certificates, postgres, postgresSettings, minio, [Symbol.asyncDispose]: async () => owned.disposeAsync() };
}
