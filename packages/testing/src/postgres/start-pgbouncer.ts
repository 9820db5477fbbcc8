import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAvailableOrThrowInCi } from "../is-available-or-throw-in-ci.ts";
import { waitFor } from "../wait-for.ts";
import { isPostgresReady } from "./is-postgres-ready.ts";
import { findFreePort } from "./free-port.ts";
import { findPostgresOsUser, toSpawnOptions } from "./postgres-os-user.ts";

const programPath = "/usr/sbin/pgbouncer";

export function hasPgbouncer(): boolean {
  return isAvailableOrThrowInCi("pgbouncer (apt-get install pgbouncer)", existsSync(programPath));
}

export async function startPgbouncer(options: {
  readonly databaseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
}) {
  const user = findPostgresOsUser();
  const folder = await mkdtemp(join(tmpdir(), "reports-pgbouncer-"));
  const upstream = new URL(options.databaseUrl);
  const port = await findFreePort();
  const password = decodeURIComponent(upstream.password);
  const name = decodeURIComponent(upstream.pathname.slice(1));
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    unix_socket_dir: "",
    auth_type: "plain",
    auth_file: join(folder, "users.txt"),
    ...options.settings,
  };
  const lines = [
    "[databases]",
    `${name} = host=${upstream.hostname} port=${upstream.port} dbname=${name}`,
    "[pgbouncer]",
    ...Object.entries(settings).map(([key, value]) => `${key} = ${value}`),
  ];
  await writeFile(join(folder, "pgbouncer.ini"), `${lines.join("\n")}\n`);
  await writeFile(join(folder, "users.txt"), `"${upstream.username}" "${password}"\n`);
  if (user !== null) {
    for (const path of [folder, join(folder, "pgbouncer.ini"), join(folder, "users.txt")])
      await chown(path, user.uid, user.gid);
  }
  await chmod(join(folder, "users.txt"), 0o600);
  const child = spawn(programPath, ["-q", join(folder, "pgbouncer.ini")], {
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
    ...toSpawnOptions(user),
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const url = new URL(options.databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  await waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`pgbouncer ended while starting. It says:\n${output}`);
      return isPostgresReady(url.href);
    },
    { what: "pgbouncer to answer" },
  );
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
