import { beforeAll, expect, test } from "vitest";
import { hashPassword } from "./password.ts";
import { createBasicVerifier } from "./verify-basic.ts";
import type { BasicUser } from "./verify-basic.ts";

let alice: BasicUser;

beforeAll(async () => {
  alice = {
    name: "alice",
    passwordHash: await hashPassword("pässword:with:colons"),
    authorities: ["REPORT_PROXY"],
    disabledAt: null,
  };
});

const encode = (text: string) => Buffer.from(text).toString("base64");
const usersOf = (...users: readonly BasicUser[]) => ({
  find: async (name: string) => users.find((user) => user.name === name) ?? null,
});

test("a name and its password give the principal with the authorities of its row", async () => {
  const verify = createBasicVerifier({ users: usersOf(alice) });
  const principal = await verify(encode("alice:pässword:with:colons"));
  expect(principal).toEqual({ id: "basic:alice", kind: "basic", authorities: new Set(["REPORT_PROXY"]) });
});

test.each([
  ["a wrong password", "alice:wrong"],
  ["an unknown user", "mallory:pässword:with:colons"],
  ["an empty password", "alice:"],
  ["an empty name", ":pässword:with:colons"],
  ["no colon", "alice"],
  ["a NUL in the name", "ali\u0000ce:x"],
  ["a name of 129 bytes", `${"a".repeat(129)}:x`],
  ["a password of 1025 bytes", `alice:${"a".repeat(1025)}`],
])("%s is refused", async (_, credentials) => {
  const verify = createBasicVerifier({ users: usersOf(alice) });
  expect(await verify(encode(credentials))).toBeNull();
});

test.each([
  ["no base64", "%%%"],
  ["not UTF-8", Buffer.from([0xff, 0x3a, 0x61]).toString("base64")],
  ["nothing", ""],
])("%s is refused", async (_, encoded) => {
  expect(await createBasicVerifier({ users: usersOf(alice) })(encoded)).toBeNull();
});

test("a disabled user is refused although the password was verified a moment ago", async () => {
  const users = { find: async (): Promise<BasicUser | null> => current };
  let current = alice;
  const verify = createBasicVerifier({ users });
  expect(await verify(encode("alice:pässword:with:colons"))).not.toBeNull();
  current = { ...alice, disabledAt: new Date(0) };
  expect(await verify(encode("alice:pässword:with:colons"))).toBeNull();
});

test("a new password ends the old one at once, and changed authorities count at once", async () => {
  const users = { find: async (): Promise<BasicUser | null> => current };
  let current = alice;
  const verify = createBasicVerifier({ users });
  await verify(encode("alice:pässword:with:colons"));
  current = { ...alice, authorities: ["REPORTS_ADMIN"] };
  expect((await verify(encode("alice:pässword:with:colons")))?.authorities).toEqual(new Set(["REPORTS_ADMIN"]));
  current = { ...alice, passwordHash: await hashPassword("another") };
  expect(await verify(encode("alice:pässword:with:colons"))).toBeNull();
});

test("more passwords than may wait are turned away instead of queued without end", async () => {
  const verify = createBasicVerifier({ users: usersOf(alice), maxConcurrent: 1, maxWaiting: 1 });
  const attempts = await Promise.allSettled(
    ["a", "b", "c", "d"].map((password) => verify(encode(`alice:${password}`))),
  );
  expect(attempts.filter(({ status }) => status === "rejected")).toHaveLength(2);
  expect(attempts.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { kind: "unavailable", code: "login-busy" },
  });
  expect(await verify(encode("alice:pässword:with:colons"))).not.toBeNull();
});
