import { expect, test } from "vitest";
import { findClientAddress, throttleKeyOf } from "./client-address.ts";

const remoteAddress = "::ffff:10.0.0.1";

test.each([
  ["without a trusted proxy, returns the address of the connection", 0, "203.0.113.9", "10.0.0.1"],
  ["with one trusted proxy, returns the last entry", 1, "1.1.1.1, 203.0.113.9", "203.0.113.9"],
  ["with two trusted proxies, returns the last entry but one", 2, "1.1.1.1, 203.0.113.9, 10.0.0.7", "203.0.113.9"],
  ["with fewer entries than trusted proxies, returns the first entry", 3, "203.0.113.9", "203.0.113.9"],
  ["without the header, returns the address of the connection", 1, undefined, "10.0.0.1"],
  ["if an entry is not an address, returns the proxy that forwarded it", 1, "\u0000; drop table", "10.0.0.1"],
  ["ignores the port of an IPv4 entry", 1, "203.0.113.9:4711", "203.0.113.9"],
  ["ignores the port of an IPv6 entry", 1, "[2001:DB8::1]:4711", "2001:db8::1"],
  ["accepts an IPv6 entry in brackets without a port", 1, "[2001:db8::1]", "2001:db8::1"],
  ["if the port of an entry is invalid, returns the proxy that forwarded it", 1, "203.0.113.9:http", "10.0.0.1"],
  ["if an entry has no IPv6 address in brackets, returns the proxy", 1, "[203.0.113.9:1", "10.0.0.1"],
  ["returns one spelling for all spellings of an IPv6 address", 1, "2001:DB8:0:0:0:0:0:1%eth0", "2001:db8::1"],
])("%s", (_, hops, forwardedFor, expected) => {
  expect(findClientAddress({ remoteAddress, forwardedFor }, hops)).toBe(expected);
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("throttleKeyOf counts failures from %s under the key %s", (address, key) => {
  expect(throttleKeyOf(address)).toBe(key);
});
