import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readStartScriptFlags } from "@reports/testing";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

function readUnit(app: "api" | "worker"): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, `deploy/systemd/report-gateway-${app}.service`), "utf8");
  const lines = text.split("\n").filter((line) => /^\w+=/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

test.each(["api", "worker"] as const)(
  "the systemd unit of the %s has the image's command, and stays down after code 78",
  (app) => {
    const unit = readUnit(app);
    const flags = readStartScriptFlags(root, app);
    expect(unit.get("ExecStart")).toBe(["/usr/local/bin/node", ...flags, "dist/main.js"].join(" "));
    expect([unit.get("Restart"), unit.get("RestartPreventExitStatus")]).toEqual(["always", "78"]);
  },
);

test("the systemd units signal only the main process, and give it time to stop", () => {
  expect(readUnit("worker").get("KillMode")).toBe("mixed");
  for (const app of ["api", "worker"] as const)
    expect(Number(readUnit(app).get("TimeoutStopSec"))).toBeGreaterThanOrEqual(50);
});

test("both systemd units have one group, so that the API can read the worker's files", () => {
  expect(readUnit("api").get("Group")).toBe(readUnit("worker").get("Group"));
});
