import { expect, test } from "vitest";
import { clientAddress, throttledAddress } from "./client-address.ts";

const remoteAddress = "::ffff:10.0.0.1";

test.each([
  ["nobody is trusted", 0, "203.0.113.9", "10.0.0.1"],
  [
    "one proxy is trusted: the last entry, whatever the caller wrote before it",
    1,
    "1.1.1.1, 203.0.113.9",
    "203.0.113.9",
  ],
  ["two proxies are trusted: the last but one", 2, "1.1.1.1, 203.0.113.9, 10.0.0.7", "203.0.113.9"],
  ["fewer entries than trusted proxies: the first", 3, "203.0.113.9", "203.0.113.9"],
  ["the header is missing", 1, undefined, "10.0.0.1"],
  ["an entry is no address: who passed it on", 1, "\u0000; drop table", "10.0.0.1"],
  ["an entry has a port, which does not count", 1, "203.0.113.9:4711", "203.0.113.9"],
  ["an IPv6 entry has a port", 1, "[2001:DB8::1]:4711", "2001:db8::1"],
  ["an IPv6 entry stands in brackets alone", 1, "[2001:db8::1]", "2001:db8::1"],
  ["an entry has a port that is none", 1, "203.0.113.9:http", "10.0.0.1"],
  ["brackets hold no address", 1, "[203.0.113.9:1", "10.0.0.1"],
  ["spellings of one IPv6 address are one", 1, "2001:DB8:0:0:0:0:0:1%eth0", "2001:db8::1"],
])("%s", (_, hops, forwardedFor, expected) => {
  expect(clientAddress({ remoteAddress, forwardedFor }, hops)).toBe(expected);
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("failures from %s are counted by %s", (address, key) => {
  expect(throttledAddress(address)).toBe(key);
});
