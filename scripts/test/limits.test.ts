import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeEnvironment } from "@reports/runtime";
import { expect, test } from "vitest";
// @boundaries-ignore Apps have no exports, and the list of variables is in this file.
import { apiEnvironment } from "../../apps/api/src/config.ts";
// @boundaries-ignore Apps have no exports (see above).
import { workerEnvironment } from "../../apps/worker/src/config.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/reference/limits.md"), "utf8");
const settings = new Map(
  [apiEnvironment, workerEnvironment].flatMap(describeEnvironment).map((setting) => [setting.name, setting.default]),
);
const named = page
  .split("\n")
  .flatMap((row) => [...row.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name]) => ({ row, name: name! })))
  .filter(
    ({ name }) =>
      !name.endsWith("_EXCEEDED") && /_(?:LIMIT|LIMITS|BYTES|SECONDS|MINUTES|DAYS|LENGTH)(?:_|$)/.test(name),
  );

test.each(named)("docs/reference/limits.md states the default of $name", ({ name, row }) => {
  expect([...settings.keys()]).toContain(name);
  const byDefault = settings.get(name)?.split(";")[0] ?? "";
  // The page writes `1,000` and `4 MiB` for the defaults `1000` and `4MiB`.
  const written = byDefault.replace(/^(\d+)(\d{3})$/, "$1,$2").replace(/^(\d+)([KMG]iB)$/, "$1 $2");
  expect(row).toContain(written);
});
