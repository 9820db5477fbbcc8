import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createGateway } from "@reports/client";
import { CommandExitError } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { printToStderr } from "../commands/command-stand.ts";
import { createGuideRunner, createExampleReplacer } from "../platform/guides.ts";
import type { TlsServers } from "../platform/start-tls-servers.ts";
import { parseCodeBlocks } from "../test/documents/parse-page-steps.ts";
import { registry } from "./cluster-files.ts";
import type { Cluster } from "./start-cluster.ts";
import { writeStoreMarkerPod } from "./store-marker-pod.ts";

const commandLimitMs = 1_800_000;
const origin = "http://reports-api.default.svc.cluster.local";
const apps = ["api", "worker"] as const;
type App = (typeof apps)[number];
/** Tags of two builds of each image, which differ in a label. */
type Build = "latest" | "named";
/** A worker requests a core per report, and the machine of the trial may have two. */
const smallWorkers = `--set-json 'worker.resources={"requests":{"cpu":"100m","memory":"256Mi","ephemeral-storage":"6Gi"}}'`;

const untilRolledOut = "kubectl rollout status deployment reports-api reports-worker --timeout=5m";

/**
 * Installs the chart by docs/guides/running/kubernetes.md, makes a report, and follows the parts of the other guides for operators that are about
 * Kubernetes.
 */
export async function followGuides(
  cluster: Cluster,
  { home, servers }: { readonly home: string; readonly servers: TlsServers },
): Promise<void> {
  const { minio, postgres } = servers;
  await using guides = await createGuideRunner({
    guides: ["install", "kubernetes", "monitor", "repair", "upgrade"],
    runner: "pnpm try cluster",
    folder: home,
    environment: { ...cluster.environment, HOME: home, PGPASSWORD: new URL(postgres.url).password },
    commandLimitMs,
    fill: createExampleReplacer([
      ["=ROOT_USER", `=${minio.accessKey}`],
      ["=ROOT_PASSWORD", `=${minio.secretKey}`],
      ...replaceDigests(cluster, "latest"),
    ]),
  });
  await guides.runBlock("install", "deploy/postgres/create-users.sh");
  await guides.runBlock("install", "deploy/minio/create-users.sh");
  await guides.runRest("kubernetes");
  await guides.run(untilRolledOut);
  printToStderr("The chart is installed.");
  const notes = await guides.run("helm get notes reports");
  const [firstUserCommands = ""] = /^ *kubectl run first-user [^]*? delete pod first-user$/m.exec(notes) ?? [];
  const firstUser = await guides.run(firstUserCommands);
  const password = /^Password, shown this once: (\S+)/m.exec(firstUser)?.[1];
  if (password === undefined) throw new CommandExitError(`The commands of the notes show no password:\n${firstUser}`);
  const gateway = createGateway({ baseUrl: origin, credentials: { name: "admin", password } });
  await gateway.proxies.create({ name: "edge-1", kind: "REVERSE", address: "10.0.0.1", port: 443, protocol: "HTTPS" });
  const makeReport = async (): Promise<void> => {
    const file = join(home, "report.csv");
    const { rowCount } = await gateway.reports.run({ reportType: "PROXY", format: "csv" }, { to: file });
    if (rowCount !== 1 || !(await readFile(file, "utf8")).includes("edge-1"))
      throw new CommandExitError(`The report has ${rowCount} rows, and there is one proxy.`);
  };
  await makeReport();
  printToStderr("The installation has made a report.");
  await guides.run("helm test reports");
  await guides.runBlock("monitor", "kubectl logs");
  await guides.runBlock("repair", "kubectl exec");
  await writeStoreMarkerPod(
    join(home, "store-marker.yaml"),
    await cluster.kubectl("get", "deploy", "reports-worker", "--output=json"),
  );
  await guides.runBlock("repair", "kubectl apply");
  printToStderr("The commands for operators run in the cluster.");
  // The guide: "run the same `helm upgrade` with the digests of the new images".
  await guides.run(createExampleReplacer(replaceDigests(cluster, "named"))(await readInstallCommand()));
  await assertRuns(guides, cluster, "named");
  await makeReport();
  await guides.runBlock("upgrade", "helm rollback reports");
  await assertRuns(guides, cluster, "latest");
  await makeReport();
  printToStderr("The installation was upgraded and returned to the previous version.");
  guides.assertAllRan();
}

type Guides = Awaited<ReturnType<typeof createGuideRunner>>;

/** Waits until all pods are those of the latest release. Throws unless it has the images of this build. */
async function assertRuns(guides: Guides, cluster: Cluster, build: Build): Promise<void> {
  await guides.run(untilRolledOut);
  const images = "{.items[*].spec.template.spec.containers[0].image}";
  const printed = await cluster.kubectl("get", "deployments", `--output=jsonpath=${images}`);
  const expected = apps.map((app) => `${repositoryOf(app)}@${digestOf(cluster, app, build)}`).join(" ");
  if (printed !== expected)
    throw new CommandExitError(`The Deployments should have the images ${expected}, and have ${printed}.`);
}

async function readInstallCommand(): Promise<string> {
  const page = await readFile(join(checkoutFolder, "docs/guides/running/kubernetes.md"), "utf8");
  const block = parseCodeBlocks(page).find(({ code }) => code.startsWith("helm upgrade --install"));
  if (block === undefined) throw new CommandExitError("docs/guides/running/kubernetes.md does not install the chart.");
  return block.code;
}

function replaceDigests(cluster: Cluster, build: Build) {
  return [
    ["image.api.digest=sha256:…", `image.api.digest=${digestOf(cluster, "api", build)}`],
    ["image.worker.digest=sha256:…", `image.worker.digest=${digestOf(cluster, "worker", build)} ${smallWorkers}`],
  ] as const;
}

function digestOf(cluster: Cluster, app: App, build: Build): string {
  const name = `${repositoryOf(app)}:${build}`;
  const digest = cluster.digests.get(name);
  if (digest === undefined) throw new CommandExitError(`The node has no image ${name}.`);
  return digest;
}

function repositoryOf(app: App): string {
  return `${registry}/report-gateway-${app}`;
}
