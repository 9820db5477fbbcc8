import { expect, test } from "vitest";
import { createRefusalThrottle } from "./refusal-throttle.ts";

test("refusals to an address are immediate for a burst, then delayed by up to 2 s", () => {
  let now = 0;
  const throttle = createRefusalThrottle({ perSecond: 100, now: () => now });
  const waits = Array.from({ length: 500 }, () => throttle.countRefusal("192.0.2.1"));
  expect(waits.slice(0, 101)).toEqual(Array.from({ length: 101 }, () => 0));
  expect(waits.slice(101, 104)).toEqual([10, 20, 30]);
  expect(waits.at(-1)).toBe(2_000);
  expect(throttle.countRefusal("192.0.2.2")).toBe(0);
  now = 1_500;
  expect(throttle.countRefusal("192.0.2.1")).toBe(500);
  now = 10_000;
  expect(throttle.countRefusal("192.0.2.1")).toBe(0);
});

test("a limit of 0 refusals per second turns off the delays of refusals", () => {
  const throttle = createRefusalThrottle({ perSecond: 0 });
  expect(Math.max(...Array.from({ length: 1_000 }, () => throttle.countRefusal("192.0.2.1")))).toBe(0);
});

test("all addresses together get five times as many refusals without delay as one", () => {
  const throttle = createRefusalThrottle({ perSecond: 10, now: () => 0 });
  const waits = Array.from({ length: 60 }, (_, index) => throttle.countRefusal(`192.0.2.${index}`));
  expect(waits.slice(0, 51)).toEqual(Array.from({ length: 51 }, () => 0));
  expect(waits.slice(51, 54)).toEqual([20, 40, 60]);
});

test("above maxAddresses, the throttle of refusals forgets the address refused longest ago", () => {
  const refuse = (addresses: readonly string[], maxAddresses: number): number | undefined => {
    const throttle = createRefusalThrottle({ perSecond: 1, maxAddresses, now: () => 0 });
    return addresses.map((address) => throttle.countRefusal(address)).at(-1);
  };
  expect(refuse(["one", "one", "other", "another", "one"], 3)).toBe(1_000);
  expect(refuse(["one", "one", "other", "another", "one"], 2)).toBe(0);
  expect(refuse(["one", "other", "one", "another", "one"], 2)).toBe(1_000);
});
