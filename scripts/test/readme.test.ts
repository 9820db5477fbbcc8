import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readmeWithTable } from "../commands/configuration-table.ts";

it("the README's table holds every variable that API and worker read; `pnpm configuration-table` writes it", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  expect(readme).toContain("| `DATABASE_URL` |");
  expect(readme).toBe(readmeWithTable(readme));
});
