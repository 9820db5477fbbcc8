import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isProcessAlive, waitFor } from "@reports/testing";
import { expect, it, onTestFinished } from "vitest";

it("a renderer in an endless loop ends when its worker is killed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "renderer-parent-"));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const entry = fileURLToPath(new URL("renderer-parent.fixture.ts", import.meta.url));
  const parent = spawn(process.execPath, ["--conditions=@reports/source", entry, folder], { stdio: "ignore" });
  onTestFinished(() => void parent.kill("SIGKILL"));
  await waitFor(() => existsSync(join(folder, "looping")), {
    what: "the renderer to loop",
    timeoutMs: 100_000,
  });
  const renderer = Number(await readFile(join(folder, "pid"), "utf8"));
  onTestFinished(() => {
    if (isProcessAlive(renderer)) process.kill(renderer, "SIGKILL");
  });
  // A renderer that takes all available processor time is in its endless loop and handles no message.
  const before = processorTicks(renderer);
  await waitFor(() => processorTicks(renderer) > before + 30, { what: "the renderer to take time" });

  parent.kill("SIGKILL");

  const ended = waitFor(() => !isProcessAlive(renderer), { what: "the renderer to end" });
  await expect(ended).resolves.toBe(true);
}, 240_000);

function processorTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[11]);
}
