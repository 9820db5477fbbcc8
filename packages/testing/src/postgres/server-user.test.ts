import { afterEach, expect, test, vi } from "vitest";
import { findPostgresUser } from "./server-user.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test("root finds the system user for Postgres without any program on PATH", () => {
  vi.spyOn(process, "getuid").mockReturnValue(0);
  const user = findPostgresUser();
  vi.stubEnv("PATH", "/nowhere");
  expect(findPostgresUser()).toEqual(user);
});
