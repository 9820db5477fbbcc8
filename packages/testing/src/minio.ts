import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { goFolders } from "./go-folders.ts";
import { findProgram, machineHas } from "./machine-has.ts";
import { findFreePort } from "./postgres/free-port.ts";
import { waitFor } from "./wait-for.ts";

/** A running MinIO (or other S3-compatible) server. */
export interface MinioServer {
  /** Such as `http://127.0.0.1:45123`. */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Null for the server of MINIO_ENDPOINT. */
  readonly pid: number | null;
  readonly dataDir: string | null;
  stop(options?: { keepData?: boolean }): Promise<void>;
}

/** Port, folder and keys of an earlier server restart it. */
export interface StartMinioOptions {
  readonly port?: number;
  readonly dataDir?: string;
  readonly accessKey?: string;
  readonly secretKey?: string;
}

/** The program on PATH or in Go's folder; null without one. In CI its absence is an error. */
function findMinio(): string | null {
  const program = findProgram("minio", goFolders());
  const what = "MinIO server (put minio on PATH, or set MINIO_ENDPOINT, MINIO_ACCESS_KEY and MINIO_SECRET_KEY)";
  return machineHas(what, program !== null) ? program : null;
}

/** Starts MinIO, or returns the server of MINIO_ENDPOINT, MINIO_ACCESS_KEY and MINIO_SECRET_KEY. Null without a program. */
export async function startMinio(options: StartMinioOptions = {}): Promise<MinioServer | null> {
  const given = process.env.MINIO_ENDPOINT;
  if (given) {
    const accessKey = process.env.MINIO_ACCESS_KEY ?? "";
    const secretKey = process.env.MINIO_SECRET_KEY ?? "";
    return { endpoint: given, accessKey, secretKey, pid: null, dataDir: null, stop: async () => undefined };
  }
  const program = findMinio();
  if (program === null) return null;

  const accessKey = options.accessKey ?? randomBytes(10).toString("hex");
  const secretKey = options.secretKey ?? randomBytes(20).toString("hex");
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "reports-minio-")));
  const port = options.port ?? (await findFreePort());
  const endpoint = `http://127.0.0.1:${port}`;
  const logPath = join(dataDir, "..", `reports-minio-${port}.log`);
  const log = openSync(logPath, "a", 0o600);
  const child = spawn(program, ["server", join(dataDir, "store"), "--address", `127.0.0.1:${port}`, "--quiet"], {
    env: {
      PATH: process.env.PATH,
      HOME: dataDir,
      MINIO_ROOT_USER: accessKey,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_BROWSER: "off",
      MINIO_CALLHOME_ENABLE: "off",
      MINIO_UPDATE: "off",
    },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  await waitFor(
    async () => {
      if (child.exitCode !== null)
        throw new Error(`MinIO ended while starting:\n${readFileSync(logPath, "utf8").trim()}`);
      // A server that is ready may still refuse requests for a bucket.
      return await fetch(`${endpoint}/minio/health/cluster`).then(
        (answer) => answer.ok,
        () => false,
      );
    },
    { what: `MinIO to be ready (log: ${logPath})`, timeoutMs: 60_000 },
  );
  return {
    endpoint,
    accessKey,
    secretKey,
    pid: child.pid!,
    dataDir,
    async stop({ keepData = options.dataDir !== undefined } = {}) {
      process.off("exit", killAtExit);
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        await exited;
      }
      await rm(logPath, { force: true });
      if (!keepData) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
