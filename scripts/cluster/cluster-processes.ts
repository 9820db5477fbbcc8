import { join } from "node:path";
import { apiServerPort, nodeName, serviceRange } from "./cluster-files.ts";
import { hostNames, nodeAddress } from "./private-machine.ts";

export interface Command {
  readonly name: string;
  /** Default: the program of Kubernetes, of which `name` is the first argument. */
  readonly program?: string;
  readonly args: readonly string[];
}

const etcd = "http://127.0.0.1:2379";

export function containerRuntime(folder: string): Command {
  return { name: "containerd", program: "containerd", args: ["--config", join(folder, "containerd.toml")] };
}

export function storeAndApi(folder: string): readonly Command[] {
  const key = (name: string): string => join(folder, "certificates", name);
  return [
    {
      name: "etcd",
      program: "etcd",
      args: [
        `--data-dir=${join(folder, "etcd")}`,
        "--unsafe-no-fsync",
        `--listen-client-urls=${etcd}`,
        `--advertise-client-urls=${etcd}`,
        "--listen-peer-urls=http://127.0.0.1:2380",
      ],
    },
    kubernetes("kube-apiserver", [
      `--etcd-servers=${etcd}`,
      `--advertise-address=${nodeAddress}`,
      `--bind-address=${nodeAddress}`,
      `--secure-port=${apiServerPort}`,
      `--service-cluster-ip-range=${serviceRange}`,
      "--authorization-mode=Node,RBAC",
      `--client-ca-file=${key("authority.crt")}`,
      `--tls-cert-file=${key("api-server.crt")}`,
      `--tls-private-key-file=${key("api-server.key")}`,
      "--service-account-issuer=https://kubernetes.default.svc",
      `--service-account-key-file=${key("service-accounts.key")}`,
      `--service-account-signing-key-file=${key("service-accounts.key")}`,
      `--kubelet-client-certificate=${key("administrator.crt")}`,
      `--kubelet-client-key=${key("administrator.key")}`,
      "--kubelet-preferred-address-types=InternalIP",
      // Switches off a feature that needs a newer etcd than Debian's.
      "--feature-gates=SizeBasedListCostEstimate=false",
    ]),
  ];
}

/** Returns the commands of processes that connect to the API server. Start it first, because they end if it is not ready. */
export function apiClients(folder: string): readonly Command[] {
  const key = (name: string): string => join(folder, "certificates", name);
  const kubeconfig = `--kubeconfig=${join(folder, "kubeconfig")}`;
  const hosts = hostNames.map((name) => `${name}=${nodeAddress}`).join(",");
  return [
    kubernetes("kube-controller-manager", [
      kubeconfig,
      "--leader-elect=false",
      `--root-ca-file=${key("authority.crt")}`,
      `--service-account-private-key-file=${key("service-accounts.key")}`,
    ]),
    kubernetes("kube-scheduler", [kubeconfig, "--leader-elect=false"]),
    kubernetes("kubelet", [
      kubeconfig,
      `--config=${join(folder, "kubelet.yaml")}`,
      `--root-dir=${join(folder, "kubelet")}`,
      `--cert-dir=${join(folder, "kubelet/certificates")}`,
      `--hostname-override=${nodeName}`,
      `--node-ip=${nodeAddress}`,
    ]),
    // Both limits on tracked connections are 0, so that kube-proxy leaves those of the whole machine unchanged.
    kubernetes("kube-proxy", [
      kubeconfig,
      `--hostname-override=${nodeName}`,
      "--proxy-mode=iptables",
      "--conntrack-max-per-core=0",
      "--conntrack-min=0",
    ]),
    kubernetes("name-server", [kubeconfig, `--listen=${nodeAddress}:53`, `--hosts=${hosts}`]),
  ];
}

function kubernetes(name: string, args: readonly string[]): Command {
  return { name, args: [name, ...args] };
}
