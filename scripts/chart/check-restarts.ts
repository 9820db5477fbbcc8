import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { parseAllDocuments } from "yaml";
import { runChartToolOrThrow, helmTemplateArguments } from "./helm.ts";

interface Pod {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template: { readonly metadata: { readonly annotations?: Record<string, string> } } };
}

export async function assertPodsRestartOnChange(): Promise<void> {
  const secrets: Record<string, string> = { "report-gateway-api": "YQ==", "report-gateway-worker": "Yg==" };
  const maps: Record<string, string> = { "internal-ca": "one" };
  await using cluster = await startCluster({ secrets, configmaps: maps });
  const render = async (...settings: string[]) => checksumsOf(cluster.kubeconfig, settings);
  const first = await render();
  assertTrue(first["reports-api"] !== undefined, "A pod has no checksum of its Secret.");
  const again = await render();
  assertTrue(JSON.stringify(first) === JSON.stringify(again), "Checksums change although no Secret changed.");
  secrets["report-gateway-api"] = "Yw==";
  const changed = await render();
  assertTrue(changed["reports-api"] !== first["reports-api"], "A changed Secret restarts no pod of the API.");
  assertTrue(changed["reports-worker"] === first["reports-worker"], "The Secret of the API restarts workers.");
  maps["internal-ca"] = "two";
  const trusted = await render();
  for (const name of ["reports-api", "reports-worker"])
    assertTrue(trusted[name] !== changed[name], `A changed ConfigMap does not restart ${name}.`);
  const without = await render("--set", "restartOnSecretChange=false");
  assertTrue(without["reports-api"] === undefined, "restartOnSecretChange=false leaves a checksum.");
}

async function checksumsOf(
  kubeconfig: string,
  settings: readonly string[],
): Promise<Record<string, string | undefined>> {
  const files = ["--set", "files[0].path=/etc/reports", "--set", "files[0].configMap=internal-ca"];
  const made = await runChartToolOrThrow("helm", [
    ...helmTemplateArguments("least"),
    "--dry-run=server",
    "--kubeconfig",
    kubeconfig,
    ...files,
    ...settings,
  ]);
  const deployments = parseAllDocuments(made)
    .map((document) => document.toJS() as Pod)
    .filter(({ kind }) => kind === "Deployment");
  return Object.fromEntries(
    deployments.map(({ metadata, spec }) => {
      const { annotations } = spec.template.metadata;
      return [metadata.name, annotations === undefined ? undefined : JSON.stringify(annotations)];
    }),
  );
}

async function startCluster(objects: Readonly<Record<"secrets" | "configmaps", Record<string, string>>>) {
  const kinds = { secrets: "Secret", configmaps: "ConfigMap" } as const;
  const resources = Object.entries(kinds).map(([name, kind]) => ({ name, kind, namespaced: true, verbs: ["get"] }));
  const fixed: Record<string, object> = {
    "/version": { major: "1", minor: "37", gitVersion: "v1.37.0" },
    "/api": { kind: "APIVersions", versions: ["v1"] },
    "/apis": { kind: "APIGroupList", apiVersion: "v1", groups: [] },
    "/api/v1": { kind: "APIResourceList", groupVersion: "v1", resources },
  };
  const server = createServer((request, response) => {
    const path = request.url!.split("?")[0]!;
    const [, plural, name = ""] = /^\/api\/v1\/namespaces\/reports\/(secrets|configmaps)\/(.+)$/.exec(path) ?? [];
    const value = plural === undefined ? undefined : objects[plural as keyof typeof kinds][name];
    const object = { apiVersion: "v1", kind: kinds[plural as keyof typeof kinds], metadata: { name }, data: { value } };
    const body = fixed[path] ?? (value === undefined ? undefined : object);
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? { kind: "Status", apiVersion: "v1", code: 404, reason: "NotFound" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const folder = await mkdtemp(join(tmpdir(), "chart-cluster-"));
  const kubeconfig = join(folder, "config");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    clusters: [{ name: "local", cluster: { server: origin } }],
    contexts: [{ name: "local", context: { cluster: "local" } }],
    "current-context": "local",
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  return {
    kubeconfig,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

function assertTrue(holds: boolean, message: string): void {
  if (!holds) throw new CommandExitError(message);
}
