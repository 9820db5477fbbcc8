import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { parse, stringify } from "yaml";
import { parseCodeBlocks } from "../test/documents/parse-page-steps.ts";

interface Container {
  image: string;
  env: unknown;
  volumeMounts: unknown;
}

interface PodSpec {
  containers: [Container];
  volumes: unknown;
}

/** Writes the pod of docs/guides/running/repair.md, with the parts of the worker's Deployment that the guide says to copy. */
export async function writeStoreMarkerPod(file: string, deployment: string): Promise<void> {
  const page = await readFile(join(checkoutFolder, "docs/guides/running/repair.md"), "utf8");
  const block = parseCodeBlocks(page).find(({ language }) => language === "yaml");
  if (block === undefined) throw new CommandExitError("docs/guides/running/repair.md shows no pod.");
  const pod = parse(block.code) as { spec: PodSpec };
  const worker = (JSON.parse(deployment) as { spec: { template: { spec: PodSpec } } }).spec.template.spec;
  const [{ image, env, volumeMounts }] = worker.containers;
  Object.assign(pod.spec.containers[0], { image, env, volumeMounts });
  pod.spec.volumes = worker.volumes;
  await writeFile(file, stringify(pod));
}
