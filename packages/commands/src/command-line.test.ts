import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const users = [process.execPath, "--conditions=@reports/source", join(import.meta.dirname, "users.ts"), "--help"];

test.skipIf(!existsSync("/dev/full"))(
  "a command reports an error and exits with 1 if standard output can't be written",
  () => {
    const full = openSync("/dev/full", "w");
    try {
      const { status, stderr } = spawnSync(users[0]!, users.slice(1), { stdio: ["ignore", full, "pipe"] });
      expect(String(stderr)).toContain("Standard output cannot be written: ENOSPC");
      expect(status).toBe(1);
    } finally {
      closeSync(full);
    }
  },
);

test("a command ends without a message when the reader of its output has ended", () => {
  const line = `exec 3> >(:); wait $!; exec "$@" >&3`;
  const { status, stderr } = spawnSync("bash", ["-c", line, "bash", ...users]);
  expect({ status, stderr: String(stderr) }).toEqual({ status: 1, stderr: "" });
});
