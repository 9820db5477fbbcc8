import { mkdir } from "node:fs/promises";
import { checkoutFolder, debianPostgresFolder, startPostgres } from "@reports/testing";
import { forwardPort } from "../machine/forward-port.ts";
import { createExampleReplacer, createGuideRunner } from "../platform/guides.ts";
import { bridgeAddress, type DockerEngine } from "./docker-engine.ts";
import { runner } from "./try-compose.ts";

const guide = "extending/check-against-a-source";

/**
 * Makes the package and the table of docs/guides/extending/check-against-a-source.md, installs the core that is packed in `core`, and runs the guide's
 * check in the worker's image.
 */
export async function trySourceCheck(engine: DockerEngine, folder: string, core: string): Promise<void> {
  await mkdir(folder);
  const postgres = await startPostgres({ bin: debianPostgresFolder });
  try {
    await using database = await forwardPort(bridgeAddress, 0, postgres.port);
    // Containers have no access to the loopback interface, where the server listens.
    const url = postgres.url.replace(`127.0.0.1:${postgres.port}`, `${bridgeAddress}:${database.port}`);
    await using guides = await createGuideRunner({
      guides: [guide],
      runner,
      folder,
      environment: engine.environment,
      fill: createExampleReplacer([
        ["/path/to/report-gateway", checkoutFolder],
        ["DATABASE_URL", url],
      ]),
    });
    await guides.runBlock(guide, "create schema facilities");
    await guides.run(`NODE_OPTIONS= npm install --save-peer '${core}'\nexport FACILITIES_URL='${url}'`);
    await guides.runBlock(guide, "docker run");
    guides.assertAllRan();
  } finally {
    await postgres.stop();
  }
}
