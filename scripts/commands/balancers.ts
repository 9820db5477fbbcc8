import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort, waitFor } from "@reports/testing";
import { CommandFailure } from "@reports/commands";

/** The balancers of which docs/deployment.md has the configuration. */
export const balancerNames = ["nginx", "haproxy"] as const;
export type BalancerName = (typeof balancerNames)[number];

/** A balancer that runs in front of two APIs. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** What it has logged of requests, and of itself. */
  readLog(): Promise<string>;
}

/** One API: its address, and where it answers probes, as host:port. */
export interface Upstream {
  readonly host: string;
  readonly probes: string;
}

const page = join(import.meta.dirname, "../../docs/deployment.md");

/** The page's configuration with the addresses of this run in the place of those that it names. */
export async function configurationOf(
  name: BalancerName,
  upstreams: readonly [Upstream, Upstream],
  port: number,
): Promise<string> {
  const [, text] =
    new RegExp(`<!-- ${name}:begin -->\\s*\`\`\`${name}\\n([^]*?)\`\`\`\\s*<!-- ${name}:end -->`).exec(
      await readFile(page, "utf8"),
    ) ?? [];
  if (text === undefined) throw new CommandFailure(`docs/deployment.md has no configuration of ${name}.`);
  return upstreams
    .reduce(
      (whole, { host, probes }, index) =>
        whole
          .replaceAll(`api-${index + 1}:3000`, host)
          .replaceAll(`addr api-${index + 1} port 3002`, `addr ${probes.split(":")[0]} port ${probes.split(":")[1]}`),
      text,
    )
    .replaceAll(/\b(listen|bind) (:?)80\b/g, (_, verb: string) => `${verb} 127.0.0.1:${port}`);
}

/** Starts Debian's program with the page's configuration. */
export async function startBalancer(name: BalancerName, upstreams: readonly [Upstream, Upstream]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), `reports-${name}-`));
  const port = await findFreePort();
  const [log, file] = [join(folder, "access.log"), join(folder, `${name}.conf`)];
  const text = await configurationOf(name, upstreams, port);
  await writeFile(file, name === "nginx" ? withinNginx(text, folder, log) : withinHaproxy(text));
  const args = name === "nginx" ? ["-e", "stderr", "-p", folder, "-c", file] : ["-f", file];
  const child = spawn(`/usr/sbin/${name}`, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  let failure: Error | null = null;
  child.once("error", (error) => (failure = error));
  const url = `http://127.0.0.1:${port}`;
  await waitFor(
    async () => {
      if (failure !== null || child.exitCode !== null)
        throw new CommandFailure(`${name} could not be started (apt-get install ${name}): ${failure?.message ?? said}`);
      return fetch(`${url}/health/live`).then(
        ({ status }) => status === 200,
        () => false,
      );
    },
    { what: `${name} to answer`, timeoutMs: 30_000 },
  );
  return {
    url,
    readLog: async () => `${said}${await readFile(log, "utf8").catch(() => "")}`,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What Debian's own nginx.conf has around the page's lines, in places that this run may write to. */
function withinNginx(text: string, folder: string, log: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  return [
    "daemon off;",
    "user root;",
    `pid ${join(folder, "nginx.pid")};`,
    "events { worker_connections 1024; }",
    "http {",
    ...temporary,
    // Debian compresses html. Others compress everything.
    "gzip on; gzip_types *; gzip_proxied any; gzip_min_length 1;",
    `access_log ${log};`,
    text.replaceAll("/var/log/nginx/access.log", log),
    "}",
  ].join("\n");
}

/** What Debian's own haproxy.cfg has ahead of the page's lines. */
function withinHaproxy(text: string): string {
  return ["global", "  log stdout format raw local0", text].join("\n");
}
