import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { runChartTool } from "./helm.ts";

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

export async function downloadCustomResources(): Promise<readonly string[]> {
  const downloads = await Promise.all(Object.entries(modules).map(async ([module, files]) => download(module, files)));
  const faults = downloads.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) {
    const message = `Custom resources are not validated: ${faults.join("; ")}`;
    if (process.env["CI"]) throw new CommandExitError(message);
    process.stdout.write(`${message}\n`);
  }
  return downloads.flatMap(({ found }) => found);
}

async function download(module: string, files: readonly string[]): Promise<{ found: string[]; fault?: string }> {
  try {
    const { output } = await runChartTool("go", ["mod", "download", "-json", module]);
    const { Dir: folder, Error: reason } = JSON.parse(output) as { Dir?: string; Error?: string };
    if (folder !== undefined) return { found: files.map((file) => join(folder, file)) };
    return { found: [], fault: reason ?? `${module} has no folder` };
  } catch (error) {
    return { found: [], fault: (error as Error).message };
  }
}
