import { CommandExitError } from "@reports/commands";
import { renderManifests, validateManifests } from "./helm.ts";

/** Helm settings that none of the reviewed installations has, each with a part of the manifests that it causes. */
export const acceptedChartSettings = [
  ["api.service.type=LoadBalancer,api.service.externalTrafficPolicy=Local", "externalTrafficPolicy: Local\n"],
  ["api.service.type=NodePort,api.service.nodePort=30080", "nodePort: 30080\n"],
  ["monitoring.dashboard.enabled=true", "report-gateway.json: "],
] as const;

/** Throws unless the manifests with this setting contain the part, and conform to the schemas of Kubernetes. */
export async function assertAccepts(setting: string, part: string): Promise<void> {
  const made = await renderManifests("least", "--set", setting);
  if (!made.includes(part))
    throw new CommandExitError(`With ${setting}, the manifests of the chart lack ${part.trim()}.`);
  await validateManifests(made);
}
