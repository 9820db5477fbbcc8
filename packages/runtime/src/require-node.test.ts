import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const module = join(import.meta.dirname, "require-node.ts");

function runOn(version: string) {
  const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(older)}`, "--import", module, "-e", "console.log('ran')"],
    { encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

test("a program on an older Node prints the reason and exits with code 78", () => {
  expect(runOn("20.19.0")).toEqual({
    status: 78,
    stdout: "",
    stderr: "Node 24 or newer is needed, and this is 20.19.0.\n",
  });
  expect(runOn("24.0.0")).toEqual({ status: 0, stdout: "ran\n", stderr: "" });
});

const apps = join(import.meta.dirname, "../../../apps");
const commands = ["api", "worker"].flatMap((app) =>
  readdirSync(join(apps, app, "bin")).map((name) => `${app}/bin/${name}`),
);

test.each(commands)("%s checks the version of Node before it loads anything else", (command) => {
  expect(readFileSync(join(apps, command), "utf8")).toMatch(
    /\nexec node --import "\$app\/node_modules\/@reports\/runtime\/dist\/require-node\.js" "\$app\/[^"]+" "\$@"\n$/,
  );
});
