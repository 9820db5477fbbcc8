import { CommandExitError } from "@reports/commands";
import { parseManifests } from "./helm.ts";

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  readonly spec: {
    readonly podSelector?: { readonly matchLabels: Record<string, string> };
    readonly policyTypes?: readonly string[];
    readonly template?: { readonly metadata: { readonly labels: Record<string, string> } };
  };
}

/**
 * Throws unless one network policy of these manifests applies to each of their pods and to `firstUser`, the pod of the notes. A namespace that denies
 * connections by default cuts off a pod without a policy. Elsewhere, such a pod may connect to everything. The policy of a Job that is a hook must
 * exist before the Job.
 */
export function assertPoliciesApplyToAllPods(made: string, firstUser?: object): void {
  const manifests = parseManifests(made) as readonly Manifest[];
  const pods = [...manifests, ...(firstUser === undefined ? [] : [firstUser as Manifest])].filter(({ kind }) =>
    ["Deployment", "Job", "Pod"].includes(kind),
  );
  for (const pod of pods) {
    const name = `${pod.kind} ${pod.metadata.name}`;
    const labels = (pod.spec.template?.metadata ?? pod.metadata).labels ?? {};
    const policies = manifests.filter(({ kind, spec }) => kind === "NetworkPolicy" && selects(spec, labels));
    const [policy] = policies;
    if (policy === undefined || policies.length > 1 || policy.spec.policyTypes?.join() !== "Ingress,Egress")
      throw new CommandExitError(`${policies.length} network policies apply to the pods of ${name} instead of one.`);
    if (pod.kind === "Job" && !(weightOf(policy) < weightOf(pod)))
      throw new CommandExitError(`helm creates ${name} before its network policy.`);
  }
}

function selects({ podSelector }: Manifest["spec"], labels: Record<string, string>): boolean {
  return Object.entries(podSelector!.matchLabels).every(([key, value]) => labels[key] === value);
}

/** Returns the order of a hook. helm creates other objects after all hooks that run before an installation. */
function weightOf({ metadata }: Manifest): number {
  const { "helm.sh/hook": hook, "helm.sh/hook-weight": weight } = metadata.annotations ?? {};
  return hook === "pre-install,pre-upgrade" ? Number(weight) : Infinity;
}
