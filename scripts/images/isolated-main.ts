// Runs in the namespaces of run-isolated.ts. Arguments: the folder of the trial, and optionally the file for an archive of both images. With a file, it
// only builds the images and saves them, as `docker save` does. Images with the tag `named` differ from those with the tag `latest` in a label.
import { join } from "node:path";
import { runCommand } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { copyCheckout } from "../machine/copy-checkout.ts";
import { runProgram } from "../machine/run-program.ts";
import { createTimedPrinter } from "../commands/command-stand.ts";
import { createGuideRunner } from "../platform/guides.ts";
import { startDockerEngine, type DockerEngine } from "./docker-engine.ts";
import { makeStandInImages, makeNodeStandIn } from "./stand-in-images.ts";
import { tryCompose, assertTrue, inspect, runner, commandLimitMs } from "./try-compose.ts";
import { tryContainers } from "./try-containers.ts";
import { tryReportTypePackage } from "./try-report-type-package.ts";
import { trySourceCheck } from "./try-source-check.ts";

const apps = ["api", "worker"] as const;
const source = "https://git.example.com/report-gateway";

await runCommand(async ({ args: [folder = "", archive] }) => {
  const say = createTimedPrinter();
  const engine = await startDockerEngine(folder);
  await (archive === undefined ? runTrial(engine, folder, say) : saveImages(engine, folder, archive));
});
// Exits although the Docker Engine still runs. The kernel ends the engine with its namespaces.
process.exit();

async function runTrial(engine: DockerEngine, folder: string, say: (sentence: string) => void): Promise<void> {
  const { base } = await makeStandInImages(engine, folder);
  say(`${base} and the other official images have stand-ins.`);
  const checkout = join(folder, "checkout");
  await copyCheckout(checkout);
  await buildImages(engine, checkout);
  say("Both images are built.");
  await tryCompose(engine, { folder, checkout }, say);
  await tryContainers(engine, { folder: join(folder, "containers"), checkout });
  say("The guide for images has installed the service, and it has made a report.");
  const core = await tryReportTypePackage(engine, join(folder, "type-package"), base);
  say("Both images load a package of report types, added as its guide says.");
  await trySourceCheck(engine, join(folder, "source-check"), core);
  say("The worker's image has checked a report type against a database.");
  process.stdout.write(await describeSizes(engine, base));
}

async function saveImages(engine: DockerEngine, folder: string, archive: string): Promise<void> {
  await makeNodeStandIn(engine, folder);
  await copyCheckout(join(folder, "checkout"));
  await buildImages(engine, join(folder, "checkout"));
  const images = apps.flatMap((app) => [`report-gateway-${app}`, `report-gateway-${app}:named`]);
  await engine.run("save", "--output", archive, ...images);
}

async function buildImages(engine: DockerEngine, checkout: string): Promise<void> {
  const revision = (await runProgram({ folder: checkoutFolder }, "git", ["rev-parse", "HEAD"])).trim();
  const { environment } = engine;
  const session = { runner, commandLimitMs, folder: checkout, environment, fill: String };
  await using guides = await createGuideRunner({ guides: ["install"], ...session });
  await guides.runBlock("install", "docker build");
  for (const app of apps) {
    const image = `report-gateway-${app}`;
    const label = (name: string): string => `{{index .Config.Labels "org.opencontainers.image.${name}"}}`;
    assertTrue((await inspect(engine, image, label("revision"))) === revision, `${image} has another revision.`);
    const labels = ["--build-arg", `REVISION=${revision}`, "--build-arg", `SOURCE=${source}`];
    const named = ["--file", join(checkout, `deploy/${app}.Dockerfile`), "--tag", `${image}:named`, checkout];
    await engine.run("build", "--quiet", ...labels, ...named);
    assertTrue((await inspect(engine, `${image}:named`, label("source"))) === source, `${image} has another source.`);
    const user = (await engine.run("run", "--rm", image, "id", "-u")).trim();
    assertTrue(user === "1000", `${image} runs as the user ${user} and not as node (1000).`);
  }
}

async function describeSizes(engine: DockerEngine, base: string): Promise<string> {
  const sizeOf = async (image: string): Promise<number> =>
    Math.round(Number(await inspect(engine, image, "{{.Size}}")) / 1024 ** 2);
  const bare = await sizeOf(base);
  const lines = [`base: ${bare} MiB`];
  for (const app of apps)
    lines.push(`report-gateway-${app}: ${(await sizeOf(`report-gateway-${app}`)) - bare} MiB more`);
  return `${lines.join("\n")}\n`;
}
