import { runCommand } from "@reports/commands";
import { startDemoDataStand } from "./command-stand.ts";
import { prepareOpenApiTools, runOpenApiTool } from "./openapi-tools.ts";

await runCommand(async () => {
  await using stand = await startDemoDataStand({ proxies: 1, domains: 1, apis: 1 });
  const document = await prepareOpenApiTools(stand.origin);
  await runOpenApiTool("redocly", ["lint", document, "--config", "redocly.yaml"]);
  await runOpenApiTool("spectral", ["lint", document, "--ruleset", "spectral.yaml", "--fail-severity", "hint"]);
});
