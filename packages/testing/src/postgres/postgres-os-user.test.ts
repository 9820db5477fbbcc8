import { afterEach, expect, test, vi } from "vitest";
import { findPostgresOsUser } from "./postgres-os-user.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test("root finds the system user for Postgres without any program on PATH", () => {
  vi.spyOn(process, "getuid").mockReturnValue(0);
  const user = findPostgresOsUser();
  vi.stubEnv("PATH", "/nowhere");
  expect(findPostgresOsUser()).toEqual(user);
});
