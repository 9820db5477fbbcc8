import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  debianPostgresFolder,
  hasPgbouncer,
  isAvailableOrThrowInCi,
  startPgbouncer,
  startPostgres,
} from "@reports/testing";
import { expect, test } from "vitest";
import { platformGuides } from "../../platform/guides.ts";
import { runDocumentPage } from "./run-document-page.ts";

const root = join(import.meta.dirname, "../../..");
const guides = join(root, "docs/guides/running");

const hasPostgres = isAvailableOrThrowInCi("Debian's PostgreSQL 15", existsSync(debianPostgresFolder));

test.skipIf(!hasPostgres || !hasPgbouncer())("pgbouncer starts with the settings that the guide shows", async () => {
  const page = await readFile(join(guides, "scale.md"), "utf8");
  const [, block = ""] = /^\[pgbouncer\]\n([^]*?)^```/m.exec(page) ?? [];
  const lines = block.split("\n").filter((line) => /^\w+ = /.test(line));
  const settings = Object.fromEntries(lines.map((line) => line.split(" = ") as [string, string]));
  expect(settings).toMatchObject({ default_pool_size: "100", max_client_conn: "400" });
  // The test has no certificates and its own users, so it omits these settings.
  const kept = Object.entries(settings).filter(([key]) => !/tls|auth_file/.test(key));
  const postgres = await startPostgres({ bin: debianPostgresFolder });
  try {
    await using pooler = await startPgbouncer({
      databaseUrl: postgres.url,
      settings: { ...Object.fromEntries(kept), listen_addr: "127.0.0.1", pool_mode: "session" },
    });
    expect(pooler.url).toContain("127.0.0.1");
  } finally {
    await postgres.stop();
  }
});

const pages = readdirSync(guides).map((file) => file.replace(/\.md$/, ""));

// Leaves out the guides in platformGuides, because `pnpm try platform` runs their commands.
test.each(pages.filter((name) => !platformGuides.some((other) => other === name)))(
  "all commands of the operators' guide %s run without errors",
  async (name) => {
    const { differences } = await runDocumentPage(join(guides, `${name}.md`), {
      root,
      folder: tmpdir(),
      fill: (text) => text,
    });
    expect(differences).toEqual([]);
  },
);
