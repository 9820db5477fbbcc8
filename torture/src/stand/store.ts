import { execFileSync } from "node:child_process";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { createFileStore } from "@reports/storage";
import { createFaultProxy, startMinio, type FaultProxy } from "@reports/testing";

/** Where report files are kept: MinIO behind a fault proxy, or a folder on a small file system of its own. */
export type StoreKind = "minio" | "files";

/** The stand's file store. */
export interface StandStore extends AsyncDisposable {
  readonly kind: StoreKind;
  /** What API and worker are told. */
  readonly environment: Readonly<Record<string, string>>;
  /** How the harness itself reaches it, past the faults. */
  readonly direct: Parameters<typeof createFileStore>[0];
  readonly proxy: FaultProxy | null;
  /** SIGKILL and a new start on the same data; null where the store is no process. */
  readonly restart: (() => Promise<void>) | null;
  /** Takes all free space, and gives it back; null where the file system cannot be had. */
  readonly fill: (() => Promise<() => Promise<void>>) | null;
}

const bucket = "reports";
const folderBytes = 192 * 1024 * 1024;

/** Opens a store of its own for one run. */
export async function openStore(kind: StoreKind, folder: string): Promise<StandStore> {
  return kind === "minio" ? openMinio() : openFolder(join(folder, "files"));
}

async function openMinio(): Promise<StandStore> {
  const started = await startMinio();
  if (started === null) {
    throw new Error("There is no MinIO on this machine. Put minio on PATH, or use --store files.");
  }
  let server = started;
  const { endpoint, accessKey, secretKey } = started;
  const dataDir = started.dataDir ?? undefined;
  const { hostname, port } = new URL(endpoint);
  const proxy = await createFaultProxy({ upstream: { host: hostname, port: Number(port) } });
  return {
    kind: "minio",
    environment: {
      MINIO_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
      MINIO_ACCESS_KEY: accessKey,
      MINIO_SECRET_KEY: secretKey,
      MINIO_BUCKET: bucket,
    },
    direct: { endpoint, accessKey, secretKey, bucket },
    proxy,
    fill: null,
    restart:
      dataDir === undefined
        ? null
        : async () => {
            process.kill(server.pid!, "SIGKILL");
            await server.stop({ keepData: true });
            server = (await startMinio({ port: Number(port), dataDir, accessKey, secretKey }))!;
          },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await server.stop({ keepData: false });
    },
  };
}

async function openFolder(directory: string): Promise<StandStore> {
  await mkdir(directory, { recursive: true });
  const mounted = mount(directory);
  return {
    kind: "files",
    environment: { STORAGE_DIR: directory },
    direct: { directory },
    proxy: null,
    restart: null,
    fill: mounted
      ? async () => {
          const filler = join(directory, "filler");
          const { bavail, bsize } = await statfs(directory);
          await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize))).catch((error: NodeJS.ErrnoException) => {
            // A worker took some of it meanwhile: full all the same.
            if (error.code !== "ENOSPC") throw error;
          });
          return async () => rm(filler, { force: true });
        }
      : null,
    async [Symbol.asyncDispose]() {
      if (mounted) execFileSync("umount", ["--lazy", directory]);
    },
  };
}

function mount(directory: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${folderBytes}`, "tmpfs", directory], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
