import { createHash, randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { builtInReportTypes } from "@reports/core/report";
import { findFreePort, waitFor } from "@reports/testing";
import { runProgram } from "../packages/run-program.ts";
import type { Buildah } from "./buildah.ts";
import { createContainer, type Container, type ContainerProcess } from "./image.ts";
import { startPreparedServers } from "./prepared-servers.ts";
import { sumScalerQueries } from "./scaler.ts";

const demoData = join(import.meta.dirname, "../commands/demo-data.ts");
const authorities = "REPORT_PROXY,REPORT_PROXY_DOMAIN,REGISTRY_READ,REGISTRY_WRITE,REPORTS_ADMIN";
export const imageBuildArguments = {
  REVISION: "0123456789abcdef",
  SOURCE: "https://git.example.com/report-gateway",
} as const;

const patienceMs = 180_000;

interface Report {
  readonly id: string;
  readonly status: string;
  readonly file: { readonly sha256: string } | null;
}

export async function tryImages(buildah: Buildah, say: (sentence: string) => void): Promise<void> {
  const folder = join(buildah.folder, "trial");
  await mkdir(folder);
  await using servers = await startPreparedServers(folder);
  const api = await createContainer(buildah, "report-gateway-api");
  const worker = await createContainer(buildah, "report-gateway-worker");

  for (const container of [api, worker]) {
    for (const [label, value] of Object.entries(imageBuildArguments))
      assertTrue(
        container.labels[`org.opencontainers.image.${label.toLowerCase()}`] === value,
        `The label ${label.toLowerCase()} of an image is not ${value}: ${JSON.stringify(container.labels)}.`,
      );
    const user = await container.run(["id", "-u"]);
    assertTrue(user.trim() === "1000", `A container runs as the user ${user.trim()} and not as node (1000).`);
  }
  const begun = new Date();
  const password = randomBytes(12).toString("hex");
  await runCommands(api, worker, folder, servers.owner, password);

  const [port, probePort, workerPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const ports = {
    HOST: "127.0.0.1",
    PORT: String(port),
    PROBE_PORT: String(probePort),
    WORKER_PORT: String(workerPort),
  };
  const processes: Record<string, ContainerProcess> = {};
  try {
    processes["api"] = api.start(api.command, { ...servers.api, ...ports });
    await untilReady(probePort, processes["api"]);
    await api.run(api.healthCheck, ports);
    const get = caller(`http://127.0.0.1:${port}`, "admin", password);
    assertTrue((await (await get("/console")).text()).includes("console/"), "The API serves no console.");
    say("The API is ready and healthy, and serves the console.");
    await get("/v1/report?reportType=PROXY&format=csv");
    const waiting = await sumScalerQueries(servers.superuserUrl);
    assertTrue(waiting === 1, `One report waits, and KEDA would count ${waiting}.`);
    processes["worker"] = worker.start(worker.command, { ...servers.worker, ...ports, WORKER_CONCURRENCY: "2" });
    await untilReady(workerPort, processes["worker"]);
    await worker.run(worker.healthCheck, ports);
    say("The worker is ready and healthy. A report of each type in each format:");
    await makeReports(get);
    for (const [name, process] of Object.entries(processes)) {
      const code = await process.terminate();
      assertTrue(code === 0, `After SIGTERM the ${name} exited with ${code}.`);
    }
    say("Both exited with 0 after SIGTERM.");
  } catch (error) {
    const output = Object.entries(processes).map(([name, process]) => `${name}:\n${process.output().slice(-4_000)}`);
    throw new CommandExitError(`${(error as Error).message}\n\n${output.join("\n")}`);
  } finally {
    for (const process of Object.values(processes)) if (process.exitCode === null) process.kill();
  }
  for (const container of [api, worker]) {
    const changed = await container.changedSince(begun);
    assertTrue(changed.length === 0, `Files were changed outside of the writable folders: ${changed.join(", ")}`);
  }
}

async function runCommands(
  api: Container,
  worker: Container,
  folder: string,
  owner: Readonly<Record<string, string>>,
  password: string,
): Promise<void> {
  await api.run(["migrate"], owner);
  const output = await api.run(["database-roles"], owner);
  assertTrue(!output.includes("REVOKE"), `database-roles reports rights that must be revoked by hand:\n${output}`);
  const create = ["users", "create", "admin", "--if-missing", "--authorities", authorities];
  await api.run(create, owner, `${password}\n`);
  assertTrue(
    (await api.run(create, owner)).includes("nothing was changed"),
    "A second `users create --if-missing` has changed something.",
  );
  await runProgram({ folder }, process.execPath, [
    "--conditions=@reports/source",
    demoData,
    "--proxies",
    "20",
    "--domains",
    "500",
    "--csv",
    folder,
  ]);
  await api.run(["load-inventory", "/given/proxies.csv", "/given/domains.csv"], owner, "", folder);
  for (const [container, command] of [
    [api, "check-report-types"],
    [worker, "check-report-types"],
    [worker, "reconcile"],
    [worker, "store-marker"],
  ] as const)
    assertTrue((await container.run([command, "--help"])).includes("Usage"), `${command} --help prints no usage.`);
}

async function untilReady(port: number, process: ContainerProcess): Promise<void> {
  await waitFor(
    async () => {
      if (process.exitCode !== null) throw new Error(`The process exited with ${process.exitCode} while starting.`);
      return await fetch(`http://127.0.0.1:${port}/health/ready`).then(
        (response) => response.ok,
        () => false,
      );
    },
    { what: `a process to be ready at port ${port}`, timeoutMs: patienceMs },
  );
}

type Get = (path: string, prefer?: string) => Promise<Response>;

function caller(url: string, user: string, password: string): Get {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  return async (path, prefer = "") => {
    const response = await fetch(`${url}${path}`, { headers: { authorization, ...(prefer && { prefer }) } });
    if (!response.ok) throw new Error(`GET ${path} got ${response.status}: ${await response.text()}`);
    return response;
  };
}

async function makeReports(get: Get): Promise<void> {
  for (const definition of builtInReportTypes) {
    for (const format of Object.keys(definition.formats)) {
      const query = `reportType=${definition.type}`;
      const { id } = (await (await get(`/v1/report?${query}&format=${format}`)).json()) as Report;
      const report = await waitFor(
        async () => {
          const now = (await (await get(`/v1/reports/${id}`, "wait=10")).json()) as Report;
          if (now.status === "FAILED") throw new Error(`The report failed: ${JSON.stringify(now)}`);
          return now.status === "SUCCEEDED" && now;
        },
        { what: `the ${format} of ${definition.type}`, timeoutMs: patienceMs },
      );
      const bytes = Buffer.from(await (await get(`/v1/report/download?${query}&id=${id}`)).arrayBuffer());
      const digest = createHash("sha256").update(bytes).digest("hex");
      assertTrue(
        bytes.length > 0 && digest === report.file?.sha256,
        `The ${format} file of ${definition.type} differs from its record.`,
      );
      process.stderr.write(`  ${definition.type} ${format}: ${bytes.length} bytes\n`);
    }
  }
}

function assertTrue(condition: boolean, message: string): asserts condition {
  if (!condition) throw new CommandExitError(message);
}
