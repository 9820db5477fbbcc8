import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgramPath, isAvailableOrThrowInCi } from "../is-available-or-throw-in-ci.ts";
import { startProcess } from "../stand/start-process.ts";
import { findFreePort } from "./free-port.ts";

/** H2 is a database that speaks Postgres's protocol but lacks most of its SQL. Maven downloads it once per machine. */
const h2Version = "2.3.232";
const cacheFolder = join(import.meta.dirname, "../../../../node_modules/.cache/h2");
const jarPath = join(cacheFolder, `h2-${h2Version}.jar`);

export function hasH2Database(): boolean {
  const isAvailable = ["java", "mvn"].every((program) => findProgramPath(program) !== null);
  return isAvailableOrThrowInCi("Java with Maven (apt-get install default-jdk-headless maven)", isAvailable);
}

export async function startH2Database(): Promise<AsyncDisposable & { readonly url: string }> {
  if (!existsSync(jarPath)) {
    const copy = ["dependency:copy", `-Dartifact=com.h2database:h2:${h2Version}`, `-DoutputDirectory=${cacheFolder}`];
    const { status, stdout } = spawnSync("mvn", ["--quiet", "--batch-mode", ...copy], { encoding: "utf8" });
    if (status !== 0) throw new Error(`Maven could not bring H2. ${stdout}`);
  }
  const folder = await mkdtemp(join(tmpdir(), "reports-h2-"));
  const port = await findFreePort();
  const options = ["-pg", "-pgPort", String(port), "-ifNotExists", "-baseDir", folder];
  const server = startProcess({
    name: "H2",
    program: "java",
    args: ["-cp", jarPath, "org.h2.tools.Server", ...options],
    environment: process.env,
  });
  await server.waitForLog("PG server running");
  return {
    url: `postgres://sa:secret-of-h2@127.0.0.1:${port}/other;MODE=PostgreSQL`,
    async [Symbol.asyncDispose]() {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
