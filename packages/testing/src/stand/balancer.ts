import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listChildProcesses } from "../child-processes.ts";
import { findFreePort } from "../postgres/free-port.ts";
import { waitFor } from "../wait-for.ts";
import { checkoutFolder } from "./stand-programs.ts";
import { startProcess } from "./start-process.ts";

export const balancerNames = ["nginx", "haproxy"] as const;
export type BalancerName = (typeof balancerNames)[number];

export type Balancer = Awaited<ReturnType<typeof startBalancer>>;

export interface BalancerUpstream {
  readonly origin: string;
  /** Port for health checks. Default: the port of `origin`. */
  readonly probePort?: number;
}

export interface BalancerOptions {
  readonly port?: number;
  /** Paths of the certificate and the key with which nginx serves https. This process must trust the certificate's authority. Default: plain http. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

export async function startBalancer(
  name: BalancerName,
  upstreams: readonly [BalancerUpstream, BalancerUpstream],
  options: BalancerOptions = {},
) {
  const folder = await mkdtemp(join(tmpdir(), `reports-${name}-`));
  const port = options.port ?? (await findFreePort());
  const [log, file] = [join(folder, "access.log"), join(folder, `${name}.conf`)];
  const text = await readConfiguration(name, upstreams, port, options.tls);
  await writeFile(file, name === "nginx" ? wrapNginx(text, folder, log) : wrapHaproxy(text));
  const url = `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`;
  const balancer = startProcess({
    name,
    program: `/usr/sbin/${name}`,
    args: name === "nginx" ? ["-e", "stderr", "-p", folder, "-c", file] : ["-f", file],
    environment: {},
    origin: url,
  });
  const stop = async (): Promise<void> => {
    await balancer.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await balancer.ready(30_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    /** Makes nginx read its certificates again. Resolves when the workers with the old ones have closed their connections and ended. */
    async reload(): Promise<void> {
      const master = balancer.pid!;
      const oldWorkers = listChildProcesses(master);
      balancer.signal("SIGHUP");
      const haveOldWorkersEnded = (): boolean => {
        const workers = new Set(listChildProcesses(master));
        return workers.size > 0 && oldWorkers.every((worker) => !workers.has(worker));
      };
      await waitFor(haveOldWorkersEnded, { what: "the old workers of nginx to end", timeoutMs: 60_000 });
    },
    readLog: async () => `${balancer.log()}${await readFile(log, "utf8").catch(() => "")}`,
    [Symbol.asyncDispose]: stop,
  };
}

async function readConfiguration(
  name: BalancerName,
  upstreams: readonly [BalancerUpstream, BalancerUpstream],
  port: number,
  tls: BalancerOptions["tls"],
): Promise<string> {
  const page = await readFile(join(checkoutFolder, "docs/guides/running/behind-a-proxy.md"), "utf8");
  const [, text] =
    new RegExp(`<!-- ${name}:begin -->\\s*\`\`\`${name}\\n([^]*?)\`\`\`\\s*<!-- ${name}:end -->`).exec(page) ?? [];
  if (text === undefined) throw new Error(`docs/guides/running/behind-a-proxy.md has no configuration of ${name}.`);
  const [, forHttps] = /replace `listen 80;` by `(listen 443 ssl;[^`]+)`/.exec(page) ?? [];
  if (forHttps === undefined) throw new Error("docs/guides/running/behind-a-proxy.md has no configuration for https.");
  const withTls =
    tls === undefined
      ? text
      : text.replace("listen 80;", forHttps.replace(/\S+\.crt/, tls.certificate).replace(/\S+\.key/, tls.key));
  return upstreams
    .reduce((whole, { origin, probePort }, index) => {
      const { host, hostname, port: ordinary } = new URL(origin);
      return whole
        .replaceAll(`api-${index + 1}:3000`, host)
        .replaceAll(`addr api-${index + 1} port 3002`, `addr ${hostname} port ${probePort ?? ordinary}`);
    }, withTls)
    .replaceAll(/\b(listen|bind) (:?)(?:80|443)\b/g, (_, verb: string) => `${verb} 127.0.0.1:${port}`);
}

function wrapNginx(text: string, folder: string, log: string): string {
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
    // Debian's nginx compresses only HTML, but an operator's nginx may compress all types. So this test configuration compresses all types.
    "gzip on; gzip_types *; gzip_proxied any; gzip_min_length 1;",
    `access_log ${log};`,
    text.replaceAll("/var/log/nginx/access.log", log),
    "}",
  ].join("\n");
}

function wrapHaproxy(text: string): string {
  return ["global", "  log stdout format raw local0", text].join("\n");
}
