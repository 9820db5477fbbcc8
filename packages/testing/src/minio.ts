import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listGoProgramFolders } from "./go-folders.ts";
import { findProgramPath, isAvailableOrThrowInCi } from "./is-available-or-throw-in-ci.ts";
import { findFreePort } from "./postgres/free-port.ts";
import { startProcess } from "./stand/start-process.ts";

export interface MinioServer {
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Process ID of the server; null for the server of MINIO_ENDPOINT. */
  readonly pid: number | null;
  readonly dataDir: string | null;
  stop(options?: { keepData?: boolean }): Promise<void>;
}

export interface StartMinioOptions {
  readonly port?: number;
  readonly dataDir?: string;
  readonly accessKey?: string;
  readonly secretKey?: string;
  /** Folder of `public.crt` and `private.key`. The server then serves https, and this process must trust the certificate's authority. */
  readonly certificates?: string;
}

function findMinio(): string | null {
  const program = findProgramPath("minio", listGoProgramFolders());
  const what = "MinIO server (put minio on PATH, or set MINIO_ENDPOINT, MINIO_ACCESS_KEY and MINIO_SECRET_KEY)";
  return isAvailableOrThrowInCi(what, program !== null) ? program : null;
}

/** Starts MinIO, or returns the server of MINIO_ENDPOINT, MINIO_ACCESS_KEY and MINIO_SECRET_KEY. If MinIO is not installed, returns null, or throws in CI. */
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
  const endpoint = `${options.certificates === undefined ? "http" : "https"}://127.0.0.1:${port}`;
  const logPath = join(dataDir, "..", `reports-minio-${port}.log`);
  const server = startProcess({
    name: "MinIO",
    program,
    args: [
      "server",
      join(dataDir, "store"),
      "--address",
      `127.0.0.1:${port}`,
      "--quiet",
      ...(options.certificates === undefined ? [] : ["--certs-dir", options.certificates]),
    ],
    environment: {
      HOME: dataDir,
      MINIO_ROOT_USER: accessKey,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_BROWSER: "off",
      MINIO_CALLHOME_ENABLE: "off",
      MINIO_UPDATE: "off",
    },
    origin: endpoint,
    // /minio/health/ready is not enough: after it answers 200, the server may still refuse requests for a bucket.
    readyPath: "/minio/health/cluster",
    logPath,
  });
  await server.ready();
  return {
    endpoint,
    accessKey,
    secretKey,
    pid: server.pid!,
    dataDir,
    async stop({ keepData = options.dataDir !== undefined } = {}) {
      await server.stop();
      await rm(logPath, { force: true });
      if (!keepData) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
