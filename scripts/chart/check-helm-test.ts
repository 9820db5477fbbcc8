import { createServer } from "node:http";
import { CommandExitError } from "@reports/commands";
import { listenOnLoopback } from "@reports/testing";
import { parseManifests, renderManifests, runChartTool } from "./helm.ts";

interface Pod {
  readonly kind: string;
  readonly spec: { readonly containers: readonly { readonly command: readonly string[] }[] };
}

export async function assertHelmTestNoticesUnreadyApi(): Promise<void> {
  const made = await renderManifests("least", "--show-only", "templates/tests/reach-api.yaml");
  const [pod] = parseManifests(made) as readonly Pod[];
  const [program = "", ...args] = pod!.spec.containers[0]!.command;
  let status = 200;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(request.url === "/health/ready" ? status : 200).end();
  });
  await using api = await listenOnLoopback(server);
  const local = args.map((arg) => arg.replace("http://reports-api:80", api.origin));
  const codes: (number | null)[] = [];
  for (status of [200, 503]) codes.push((await runChartTool(program, local)).code);
  if (codes.join() !== "0,1" || !asked.includes("/openapi.json"))
    throw new CommandExitError(`The test of helm exited with ${codes.join(", ")}, after it sent ${asked.join(", ")}.`);
}
