import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileStore } from "@reports/core/base";
import type { createFileStore } from "@reports/storage";
import { createFaultProxy, startMinio, type FaultProxy } from "@reports/testing";
import { fillDisk, mountTmpfs, unmountTmpfs } from "./tmpfs.ts";

/** A MinIO behind a fault proxy (`minio`), or a folder on a small separate file system (`files`). */
export type TortureStoreKind = "minio" | "files";

/** Replacements of the store during a swap: an empty store, the same store without its files, or no store. */
export const storeSwapKinds = ["empty", "without files", "missing"] as const;
export type StoreSwapKind = (typeof storeSwapKinds)[number];

export interface TortureStore extends AsyncDisposable {
  readonly kind: TortureStoreKind;
  readonly environment: Readonly<Record<string, string>>;
  readonly direct: Parameters<typeof createFileStore>[0];
  readonly proxy: FaultProxy | null;
  /** Kills the store and starts it again with the same data. Null if the store is a folder, which has no process. */
  readonly restart: (() => Promise<void>) | null;
  swap(by: StoreSwapKind): Promise<() => Promise<void>>;
  isSwapped(): boolean;
  /** Fills the disk. Resolves with a function that frees the space. Null if the store has no separate file system. */
  readonly fill: (() => Promise<() => Promise<void>>) | null;
}

const bucket = "reports";
const folderBytes = 192 * 1024 * 1024;

export async function startTortureStore(kind: TortureStoreKind, folder: string): Promise<TortureStore> {
  const opened = await (kind === "minio" ? openMinio() : openFolder(join(folder, "files")));
  let isSwapped = false;
  return {
    ...opened,
    isSwapped: () => isSwapped,
    async swap(by) {
      isSwapped = true;
      const restore = await opened.swap(by);
      return async () => {
        await restore();
        isSwapped = false;
      };
    },
  };
}

async function openMinio(): Promise<Omit<TortureStore, "isSwapped">> {
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
    swap: async (by) => swapFolder(join(started.dataDir!, "store", bucket), by),
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

async function openFolder(directory: string): Promise<Omit<TortureStore, "isSwapped">> {
  await mkdir(directory, { recursive: true });
  const mounted = mountTmpfs(directory, `size=${folderBytes}`);
  return {
    kind: "files",
    environment: { STORAGE_DIR: directory },
    direct: { directory },
    proxy: null,
    restart: null,
    swap: async (by) => (mounted ? mountOver(directory, by) : swapFolder(directory, by)),
    fill: mounted ? async () => fillDisk(directory) : null,
    async [Symbol.asyncDispose]() {
      if (mounted) unmountTmpfs(directory);
    },
  };
}

/**
 * Swaps the store by renaming its folder. For `without files`, only moves the files out of the folder. MinIO notices the change and drops its
 * cache of the bucket.
 */
async function swapFolder(folder: string, by: StoreSwapKind): Promise<() => Promise<void>> {
  const moved = `${folder}-moved`;
  if (by === "without files") return moveFiles(folder, moved);
  await rename(folder, moved);
  if (by === "empty") await mkdir(folder);
  return async () => {
    await rm(folder, { recursive: true, force: true });
    await rename(moved, folder);
  };
}

/**
 * Swaps the store by mounting an empty file system over its folder, because a mount point cannot be renamed. For `without files`, it moves the files
 * out instead.
 */
async function mountOver(directory: string, by: StoreSwapKind): Promise<() => Promise<void>> {
  if (by === "without files") return moveFiles(directory, join(directory, "moved"));
  // A missing store is like a volume that is not mounted: the folder is empty and not writable.
  execFileSync("mount", ["-t", "tmpfs", "-o", by === "missing" ? "ro" : "rw", "tmpfs", directory]);
  return async () => void execFileSync("umount", ["--lazy", directory]);
}

/** Moves the files away and leaves the store ID. Restoring moves them back next to files that were stored meanwhile. */
async function moveFiles(folder: string, moved: string): Promise<() => Promise<void>> {
  const files = join(folder, "reports");
  await rename(files, moved);
  return async () => {
    await mkdir(files, { recursive: true });
    execFileSync("cp", ["-a", `${moved}/.`, files]);
    await rm(moved, { recursive: true, force: true });
  };
}

/** Overwrites a stored file. The service never does this, so readers do not expect it. */
export async function overwriteStoredFile(
  files: Pick<FileStore, "put" | "remove">,
  key: string,
  bytes: Buffer,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "reports-replaced-"));
  const path = join(folder, "bytes");
  await writeFile(path, bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  await files.remove(key);
  await files.put({ key, path, sizeBytes: bytes.length, sha256, contentType: "application/octet-stream" });
  await rm(folder, { recursive: true, force: true });
}
