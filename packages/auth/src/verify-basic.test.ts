import { unlimitedLoginThrottle, type LoginAttempt, type LoginThrottle } from "@reports/core/caller";
import { beforeAll, expect, test } from "vitest";
import { hashPassword } from "./password.ts";
import { createBasicVerifier } from "./verify-basic.ts";
import type { LocalUser } from "./user-directory.ts";

let alice: LocalUser;

beforeAll(async () => {
  alice = {
    name: "alice",
    passwordHash: await hashPassword("pässword:with:colons"),
    authorities: ["REPORT_PROXY"],
    disabledAt: null,
  };
});

const from = "192.0.2.1";
const verifierOf = (options: Parameters<typeof createBasicVerifier>[0]) => {
  const verify = createBasicVerifier(options);
  return async (encoded: string, address: string) => verify(encoded, address, () => undefined);
};
const encode = (text: string) => Buffer.from(text).toString("base64");
const usersOf = (...users: readonly LocalUser[]) => ({
  find: async (name: string) => users.find((user) => user.name === name) ?? null,
});

test("valid Basic credentials return a principal with the authorities of the user", async () => {
  const verify = verifierOf({ users: usersOf(alice), throttle: unlimitedLoginThrottle });
  const principal = await verify(encode("alice:pässword:with:colons"), from);
  expect(principal).toEqual({
    id: "basic:alice",
    kind: "basic",
    displayName: null,
    authorities: new Set(["REPORT_PROXY"]),
    endsAt: null,
  });
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
])("the Basic verifier refuses %s", async (_, credentials) => {
  const verify = verifierOf({ users: usersOf(alice), throttle: unlimitedLoginThrottle });
  expect(await verify(encode(credentials), from)).toBeNull();
});

test.each([
  ["not base64", "%%%"],
  ["not UTF-8", Buffer.from([0xff, 0x3a, 0x61]).toString("base64")],
  ["empty", ""],
])("the Basic verifier refuses credentials that are %s", async (_, encoded) => {
  expect(await verifierOf({ users: usersOf(alice), throttle: unlimitedLoginThrottle })(encoded, from)).toBeNull();
});

test("a disabled user is refused immediately, even if the password is cached", async () => {
  const users = { find: async (): Promise<LocalUser | null> => current };
  let current = alice;
  const verify = verifierOf({ users, throttle: unlimitedLoginThrottle });
  expect(await verify(encode("alice:pässword:with:colons"), from)).not.toBeNull();
  current = { ...alice, disabledAt: new Date(0) };
  expect(await verify(encode("alice:pässword:with:colons"), from)).toBeNull();
});

test("a user's new password and changed authorities apply immediately", async () => {
  const users = { find: async (): Promise<LocalUser | null> => current };
  let current = alice;
  const verify = verifierOf({ users, throttle: unlimitedLoginThrottle });
  await verify(encode("alice:pässword:with:colons"), from);
  current = { ...alice, authorities: ["REPORTS_ADMIN"] };
  expect((await verify(encode("alice:pässword:with:colons"), from))?.authorities).toEqual(new Set(["REPORTS_ADMIN"]));
  current = { ...alice, passwordHash: await hashPassword("another") };
  expect(await verify(encode("alice:pässword:with:colons"), from)).toBeNull();
});

test("a login is rejected with login-busy if too many logins wait", async () => {
  const verify = verifierOf({
    users: usersOf(alice),
    throttle: unlimitedLoginThrottle,
    maxConcurrent: 1,
    maxWaiting: 1,
  });
  const attempts = await Promise.allSettled(
    ["a", "b", "c", "d"].map((password) => verify(encode(`alice:${password}`), from)),
  );
  expect(attempts.filter(({ status }) => status === "rejected")).toHaveLength(2);
  expect(attempts.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { kind: "unavailable", code: "login-busy" },
  });
  expect(await verify(encode("alice:pässword:with:colons"), from)).not.toBeNull();
});

test("during a flood of logins, a user can log in from an address used that day", async () => {
  let now = 1;
  const verify = verifierOf({ users: usersOf(alice), throttle: unlimitedLoginThrottle, maxWaiting: 1, now: () => now });
  await verify(encode("alice:pässword:with:colons"), from);
  now += 60 * 60_000;
  const guesses = Array.from({ length: 8 }, (_, index) => verify(encode(`alice:wrong-${index}`), `192.0.3.${index}`));
  const settled = Promise.allSettled(guesses);
  expect(await verify(encode("alice:pässword:with:colons"), from)).toMatchObject({ id: "basic:alice" });
  expect((await settled).filter(({ status }) => status === "rejected")).toHaveLength(5);
});

test("an address with many waiting guesses delays logins of others by only one check", async () => {
  const verify = verifierOf({ users: usersOf(alice), throttle: unlimitedLoginThrottle, maxConcurrent: 1 });
  const answered: string[] = [];
  const login = async (password: string, address: string) => {
    await verify(encode(`alice:${password}`), address);
    answered.push(address);
  };
  const guesses = Array.from({ length: 6 }, (_, index) => login(`wrong-${index}`, from));
  await Promise.all([...guesses, login("pässword:with:colons", "192.0.2.2")]);
  expect(answered).toEqual([from, "192.0.2.2", from, from, from, from, from]);
});

test("a login with an unknown name hashes the password too, so that it takes as long", async () => {
  const verify = verifierOf({
    users: usersOf(alice),
    throttle: unlimitedLoginThrottle,
    maxConcurrent: 1,
    maxWaiting: 1,
  });
  const attempts = await Promise.allSettled(["a", "b", "c", "d"].map((name) => verify(encode(`${name}:x`), from)));
  // The verifier rejects with login-busy only if the login would have to wait for a hash. So two rejections prove that passwords of unknown users
  // are hashed too.
  expect(attempts.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
});

function countingThrottle(limits: { readonly perAddress: number; readonly perAccount: number }) {
  const failures: LoginAttempt[] = [];
  const refusals = ({ address, account }: LoginAttempt) =>
    [
      {
        by: "address",
        used: failures.filter((failure) => failure.address === address).length,
        limit: limits.perAddress,
      },
      {
        by: "account",
        used: failures.filter((failure) => failure.account === account).length,
        limit: limits.perAccount,
      },
    ] as const;
  const findExhausted: LoginThrottle["findExhausted"] = async (attempt) => {
    const found = refusals(attempt).find(({ used, limit }) => used >= limit);
    if (found === undefined) return null;
    const quota = { name: "login-failures", limit: found.limit, remaining: 0, windowSeconds: 60, resetSeconds: 7 };
    return { by: found.by, quota };
  };
  const throttle: LoginThrottle = {
    findExhausted,
    async countFailure(attempt) {
      const refusal = await findExhausted(attempt);
      if (refusal === null) failures.push(attempt);
      return refusal;
    },
  };
  return { throttle, failures };
}

test("after too many failures, an address is refused even with the right password", async () => {
  const { throttle } = countingThrottle({ perAddress: 2, perAccount: 100 });
  const verify = verifierOf({ users: usersOf(alice), throttle });
  expect(await verify(encode("alice:wrong"), from)).toBeNull();
  expect(await verify(encode("mallory:wrong"), from)).toBeNull();
  await expect(verify(encode("alice:pässword:with:colons"), from)).rejects.toMatchObject({
    kind: "rate-limited",
    code: "too-many-failed-logins",
    retryAfterSeconds: 7,
  });
  expect(await verify(encode("alice:pässword:with:colons"), "192.0.2.2")).not.toBeNull();
});

test("with a limit of 3 failed logins, only 3 of 9 concurrent guesses get a result", async () => {
  const { throttle } = countingThrottle({ perAddress: 3, perAccount: 100 });
  const verify = verifierOf({ users: usersOf(alice), throttle });
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 8 }, (_, index) => verify(encode(`alice:wrong-${index}`), from)),
    verify(encode("alice:pässword:with:colons"), from),
  ]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(outcomes.at(-1)).toMatchObject({ status: "rejected", reason: { code: "too-many-failed-logins" } });
});

test("wrong passwords and names count as failed logins, malformed credentials do not", async () => {
  const { throttle, failures } = countingThrottle({ perAddress: 10, perAccount: 10 });
  const verify = verifierOf({ users: usersOf(alice), throttle });
  await verify("%%%", from);
  await verify(encode("no colon"), from);
  await verify(encode("alice:pässword:with:colons"), from);
  expect(failures).toEqual([]);
  await verify(encode("alice:wrong"), from);
  await verify(encode(`${"a".repeat(129)}:x`), from);
  expect(failures).toHaveLength(2);
});

test("an account with too many failed logins accepts an address that just logged in", async () => {
  const { throttle } = countingThrottle({ perAddress: 10, perAccount: 2 });
  const verify = verifierOf({ users: usersOf(alice), throttle });
  expect(await verify(encode("alice:pässword:with:colons"), from)).not.toBeNull();
  await verify(encode("alice:wrong"), "192.0.2.7");
  await verify(encode("alice:wrong"), "192.0.2.8");
  await expect(verify(encode("alice:wrong"), "192.0.2.9")).rejects.toMatchObject({ code: "too-many-failed-logins" });
  expect(await verify(encode("alice:pässword:with:colons"), from)).not.toBeNull();
});

test("cached credentials pass all login limits until they are unused for cacheMs", async () => {
  let time = 1;
  const { throttle } = countingThrottle({ perAddress: 2, perAccount: 3 });
  const verify = verifierOf({ users: usersOf(alice), throttle, cacheMs: 30_000, now: () => time });
  const login = async () => verify(encode("alice:pässword:with:colons"), from);
  expect(await login()).not.toBeNull();
  for (const password of ["a", "b"]) expect(await verify(encode(`alice:${password}`), from)).toBeNull();
  await verify(encode("alice:c"), "192.0.2.7");
  await expect(verify(encode("alice:d"), "192.0.2.8")).rejects.toMatchObject({ code: "too-many-failed-logins" });
  for (const at of [20_000, 40_000, 60_000]) {
    time = at;
    expect(await login()).not.toBeNull();
  }
  time = 91_000;
  await expect(login()).rejects.toMatchObject({ code: "too-many-failed-logins" });
});

test("an account with too many failed logins accepts addresses of its recent logins", async () => {
  const { throttle, failures } = countingThrottle({ perAddress: 3, perAccount: 2 });
  const verify = verifierOf({ users: usersOf(alice), throttle, cacheMs: 0 });
  expect(await verify(encode("alice:pässword:with:colons"), from)).not.toBeNull();
  await verify(encode("alice:a"), "192.0.2.7");
  await verify(encode("alice:b"), "192.0.2.8");
  expect(await verify(encode("alice:pässword:with:colons"), from)).not.toBeNull();
  for (const [address, account] of [
    [from, "x"],
    [from, "y"],
    [from, "z"],
  ] as const)
    failures.push({ address, account });
  await expect(verify(encode("alice:guess"), from)).rejects.toMatchObject({ code: "too-many-failed-logins" });
});

test("of an address's concurrent guesses, at most the login limit plus two are hashed", async () => {
  const { throttle, failures } = countingThrottle({ perAddress: 10, perAccount: 1000 });
  // Number of password hashes. The verifier looks up the user once before each hash, so the lookups are counted.
  let hashes = 0;
  const users = { find: async () => (hashes++, null) };
  const verify = verifierOf({ users, throttle, maxWaiting: 200 });
  const guesses = Array.from({ length: 120 }, (_, index) => verify(encode(`user-${index}:wrong`), from));
  const outcomes = await Promise.allSettled(guesses);
  expect(failures).toHaveLength(10);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  expect(hashes).toBeLessThanOrEqual(12);
});
