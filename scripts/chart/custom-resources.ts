import { join } from "node:path";
import { CommandFailure } from "@reports/commands";
import { run } from "./helm.ts";

/** Go modules that contain definitions of custom resources, with the paths of those that the chart uses. */
const modules = {
  "github.com/kedacore/keda/v2@v2.21.0": [
    "config/crd/bases/keda.sh_scaledobjects.yaml",
    "config/crd/bases/keda.sh_triggerauthentications.yaml",
  ],
  "github.com/prometheus-operator/prometheus-operator@v0.85.0": [
    "example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml",
    "example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml",
  ],
  "sigs.k8s.io/gateway-api@v1.6.3": ["config/crd/standard/gateway.networking.k8s.io_httproutes.yaml"],
};

/**
 * Downloads the definitions of the custom resources of KEDA, the Prometheus operator and the Gateway API, and returns their files. If one cannot be
 * downloaded, it fails in CI. Elsewhere it says so and leaves the module out.
 */
export async function customResources(): Promise<readonly string[]> {
  const found = await Promise.all(
    Object.entries(modules).map(async ([module, files]) => {
      const folder = await folderOf(module);
      return folder === undefined ? [] : files.map((file) => join(folder, file));
    }),
  );
  return found.flat();
}

async function folderOf(module: string): Promise<string | undefined> {
  try {
    const { code, output } = await run("go", ["mod", "download", "-json", module]);
    const { Dir: folder, Error: reason } = JSON.parse(output) as { Dir?: string; Error?: string };
    if (code === 0 && folder !== undefined) return folder;
    return missing(module, reason ?? output);
  } catch (error) {
    return missing(module, (error as Error).message);
  }
}

function missing(module: string, reason: string): undefined {
  const message = `The custom resources of ${module} are not validated, because Go cannot download it: ${reason.split("\n")[0]}`;
  if (process.env["CI"]) throw new CommandFailure(message);
  process.stdout.write(`${message}\n`);
}
