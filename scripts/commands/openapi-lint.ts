import { runCommand } from "@reports/commands";
import { startDemoDataStand } from "./command-stand.ts";
import { prepareTools, runTool } from "./openapi-tools.ts";

await runCommand(async () => {
  await using stand = await startDemoDataStand({ proxies: 1, domains: 1, apis: 1 });
  const document = await prepareTools(stand.origin);
  await runTool("redocly", ["lint", document, "--config", "redocly.yaml"]);
  await runTool("spectral", ["lint", document, "--ruleset", "spectral.yaml", "--fail-severity", "hint"]);
});
