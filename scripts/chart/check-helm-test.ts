import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CommandExitError } from "@reports/commands";
import { parseAllDocuments } from "yaml";
import { runChartToolOrThrow, runChartTool, helmTemplateArguments } from "./helm.ts";

export async function assertHelmTestNoticesUnreadyApi(): Promise<void> {
  const made = await runChartToolOrThrow("helm", [
    ...helmTemplateArguments("least"),
    "--show-only",
    "templates/tests/reach-api.yaml",
  ]);
  const pod = parseAllDocuments(made)[0]!.toJS() as { spec: { containers: { command: string[] }[] } };
  const [program = "", ...args] = pod.spec.containers[0]!.command;
  let status = 200;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(request.url === "/health/ready" ? status : 200).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const local = args.map((arg) => arg.replace("http://reports-api:80", origin));
  try {
    const codes: (number | null)[] = [];
    for (status of [200, 503]) codes.push((await runChartTool(program, local)).code);
    if (codes.join() !== "0,1" || !asked.includes("/openapi.json"))
      throw new CommandExitError(
        `The test of helm exited with ${codes.join(", ")}, after it sent ${asked.join(", ")}.`,
      );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
