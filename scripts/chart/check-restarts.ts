import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { listenOnLoopback } from "@reports/testing";
import { parseManifests, renderManifests } from "./helm.ts";

interface Pod {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template: { readonly metadata: { readonly annotations?: Record<string, string> } } };
}

export async function assertPodsRestartOnChange(): Promise<void> {
  const secrets: Record<string, string> = { "report-gateway-api": "YQ==", "report-gateway-worker": "Yg==" };
  const maps: Record<string, string> = { "internal-ca": "one" };
  await using api = await startApi({ secrets, configmaps: maps });
  await using folder = await mkdtempDisposable(join(tmpdir(), "chart-cluster-"));
  const kubeconfig = join(folder.path, "config");
  const config = {
    clusters: [{ name: "local", cluster: { server: api.origin } }],
    contexts: [{ name: "local", context: { cluster: "local" } }],
    "current-context": "local",
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const render = async (...settings: string[]) => checksumsOf(kubeconfig, settings);
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
  const cluster = ["--dry-run=server", "--kubeconfig", kubeconfig];
  const made = await renderManifests("least", ...cluster, ...files, ...settings);
  return Object.fromEntries(
    (parseManifests(made, "Deployment") as readonly Pod[]).map(({ metadata, spec }) => {
      const { annotations } = spec.template.metadata;
      return [metadata.name, annotations === undefined ? undefined : JSON.stringify(annotations)];
    }),
  );
}

async function startApi(objects: Readonly<Record<"secrets" | "configmaps", Record<string, string>>>) {
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
  return listenOnLoopback(server);
}

function assertTrue(holds: boolean, message: string): void {
  if (!holds) throw new CommandExitError(message);
}
