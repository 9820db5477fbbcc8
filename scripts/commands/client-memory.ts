import { execFile } from "node:child_process";
import { mkdtempDisposable, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { serveGeneratedFile } from "./client-memory/serve-generated-file.ts";
import { CommandExitError, runCommand } from "@reports/commands";

const mebibyte = 2 ** 20;
/** Size in MiB of the small download. It is not smaller, because any long download lets the memory of a process grow to a certain size. */
const fewMebibytes = 256;
const manyMebibytes = 2048;
/** Maximum difference in MB between the peak memory of the process that downloads the large file and that of the process with the small file. */
const goalMb = 40;
/** Maximum runs of the large download. The lowest peak counts, because on a busy machine the garbage collector runs late and raises the peak. */
const maxRuns = 3;

const program = join(import.meta.dirname, "client-memory/download-file.ts");

await runCommand(async ({ signal }) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "client-memory-"));
  const few = await peakMb(fewMebibytes * mebibyte, folder.path, signal);
  let many = Number.POSITIVE_INFINITY;
  for (let run = 0; run < maxRuns && many - few > goalMb; run++)
    many = Math.min(many, await peakMb(manyMebibytes * mebibyte, folder.path, signal));
  const words = `${fewMebibytes} MiB took ${few} MB, ${manyMebibytes} MiB took ${many} MB: ${many - few} MB more, and ${goalMb} MB are allowed.`;
  if (many - few > goalMb) throw new CommandExitError(words);
  process.stdout.write(`${words}\n`);
});

async function peakMb(sizeBytes: number, folder: string, signal: AbortSignal): Promise<number> {
  await using server = await serveGeneratedFile(sizeBytes);
  const path = join(folder, "file");
  const args = ["--conditions=@reports/source", program, server.origin, String(sizeBytes), server.sha256, path];
  const { stdout } = await promisify(execFile)(process.execPath, args, { signal });
  await rm(path);
  return Math.round(Number(stdout) / 1000);
}
