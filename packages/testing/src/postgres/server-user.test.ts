import { afterEach, expect, test, vi } from "vitest";
import { serverUser } from "./server-user.ts";

afterEach(() => void vi.unstubAllEnvs());

test("the user of root's servers is found where no program is on PATH", () => {
  const user = serverUser();
  vi.stubEnv("PATH", "/nowhere");
  vi.spyOn(process, "getuid").mockReturnValueOnce(0);
  expect(serverUser()).toMatchObject(user ?? { uid: expect.any(Number), gid: expect.any(Number) });
});
