import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startFlagsOf } from "@reports/testing";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What a unit says, by its key; a key that stands more than once has its last value. */
function readUnit(app: "api" | "worker"): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, `deploy/systemd/report-gateway-${app}.service`), "utf8");
  const lines = text.split("\n").filter((line) => /^\w+=/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

test.each(["api", "worker"] as const)(
  "the unit of the %s starts it as its image does, and not again where that is no use",
  (app) => {
    const unit = readUnit(app);
    const flags = startFlagsOf(root, app);
    expect(unit.get("ExecStart")).toBe(["/usr/local/bin/node", ...flags, "dist/main.js"].join(" "));
    expect([unit.get("Restart"), unit.get("RestartPreventExitStatus")]).toEqual(["always", "78"]);
  },
);

test("a worker ends its renderers itself, and both have more time for it than they take by default", () => {
  expect(readUnit("worker").get("KillMode")).toBe("mixed");
  for (const app of ["api", "worker"] as const)
    expect(Number(readUnit(app).get("TimeoutStopSec"))).toBeGreaterThanOrEqual(50);
});

test("both have one group, so that the API can read what the worker has stored", () => {
  expect(readUnit("api").get("Group")).toBe(readUnit("worker").get("Group"));
});
