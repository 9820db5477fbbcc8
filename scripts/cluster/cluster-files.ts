import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestCertificateAuthority } from "@reports/testing";
import { runProgram } from "../machine/run-program.ts";
import { nodeAddress } from "./private-machine.ts";

/** The registry of the guides. It needs no server, because the node already has the images. */
export const registry = "registry.example.com";
export const nodeName = "node";
const podRange = "10.202.0.0/24";
export const serviceRange = "10.201.0.0/16";
/** The address of the Service `kubernetes`, which is the first of the range. */
const apiService = "10.201.0.1";
export const apiServerPort = 6443;
export const pauseImage = "cluster.invalid/pause:1";
export const containerdSocket = "/run/containerd.sock";

/** Writes the configuration of the cluster's processes into a folder. */
export async function writeClusterFiles(folder: string, controlGroup: string): Promise<void> {
  await mkdir(join(folder, "network"), { recursive: true });
  await writeKeys(join(folder, "certificates"));
  await writeFile(join(folder, "network/pods.conflist"), JSON.stringify(network(folder)));
  await writeFile(join(folder, "containerd.toml"), containerdConfiguration(folder));
  await writeFile(join(folder, "kubelet.yaml"), JSON.stringify(kubeletConfiguration(folder, controlGroup)));
  await writeFile(join(folder, "kubeconfig"), JSON.stringify(kubeconfig(join(folder, "certificates"))));
}

/** Writes the cluster's own authority, the certificates of the API server and of an administrator, and the key of service accounts. */
async function writeKeys(folder: string): Promise<void> {
  await using authority = await createTestCertificateAuthority();
  await authority.issue("api-server", { hosts: [`IP:${nodeAddress}`, `IP:${apiService}`] });
  await authority.issue("administrator", { hosts: [], subject: "/O=system:masters/CN=administrator" });
  await cp(authority.folder, folder, { recursive: true });
  await runProgram({ folder }, "openssl", ["genrsa", "-out", "service-accounts.key", "2048"]);
}

function kubeconfig(certificates: string): object {
  const at = (name: string): string => join(certificates, name);
  const user = { "client-certificate": at("administrator.crt"), "client-key": at("administrator.key") };
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "cluster",
        cluster: { server: `https://${nodeAddress}:${apiServerPort}`, "certificate-authority": at("authority.crt") },
      },
    ],
    users: [{ name: "administrator", user }],
    contexts: [{ name: "cluster", context: { cluster: "cluster", user: "administrator" } }],
    "current-context": "cluster",
  };
}

/** Each pod has a route to the machine alone, so that pods need no filter between the ports of a bridge. */
function network(folder: string): object {
  const addresses = { subnet: podRange };
  const ipam = {
    type: "host-local",
    ranges: [[addresses]],
    routes: [{ dst: "0.0.0.0/0" }],
    dataDir: join(folder, "addresses"),
  };
  return { cniVersion: "0.4.0", name: "pods", plugins: [{ type: "ptp", ipMasq: false, ipam }] };
}

/** Sets `restrict_oom_score_adj`, because in a container root may not protect a process from the kernel's out-of-memory killer. */
function containerdConfiguration(folder: string): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return `version = 2
root = "${folder}/containerd"
state = "/run/containerd"
[grpc]
address = "${containerdSocket}"
[${cri}]
sandbox_image = "${pauseImage}"
restrict_oom_score_adj = true
[${cri}.cni]
bin_dir = "/usr/lib/cni"
conf_dir = "${folder}/network"
`;
}

function kubeletConfiguration(folder: string, controlGroup: string): object {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address: nodeAddress,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: false },
      x509: { clientCAFile: join(folder, "certificates/authority.crt") },
    },
    authorization: { mode: "AlwaysAllow" },
    cgroupDriver: "cgroupfs",
    cgroupRoot: `/${controlGroup}`,
    clusterDNS: [nodeAddress],
    clusterDomain: "cluster.local",
    containerRuntimeEndpoint: `unix://${containerdSocket}`,
    // The machine of a developer may have control groups of version 1, and swap.
    failCgroupV1: false,
    failSwapOn: false,
    evictionHard: { "memory.available": "50Mi", "nodefs.available": "1%", "imagefs.available": "1%" },
  };
}
