import { expect, test } from "vitest";
import { findClientAddress, throttleKeyOf } from "./client-address.ts";

const remoteAddress = "::ffff:10.0.0.1";

test.each([
  ["returns the connection's address without a trusted proxy", 0, "203.0.113.9", "10.0.0.1"],
  ["returns the last X-Forwarded-For entry with one trusted proxy", 1, "1.1.1.1, 203.0.113.9", "203.0.113.9"],
  ["returns the last entry but one with two trusted proxies", 2, "1.1.1.1, 203.0.113.9, 10.0.0.7", "203.0.113.9"],
  ["returns the first entry if there are fewer entries than trusted proxies", 3, "203.0.113.9", "203.0.113.9"],
  ["returns the connection's address without the header", 1, undefined, "10.0.0.1"],
  ["returns the forwarding proxy if an entry is not an address", 1, "\u0000; drop table", "10.0.0.1"],
  ["ignores the port of an IPv4 entry", 1, "203.0.113.9:4711", "203.0.113.9"],
  ["ignores the port of an IPv6 entry", 1, "[2001:DB8::1]:4711", "2001:db8::1"],
  ["accepts an IPv6 entry in brackets without a port", 1, "[2001:db8::1]", "2001:db8::1"],
  ["returns the forwarding proxy if an entry has an invalid port", 1, "203.0.113.9:http", "10.0.0.1"],
  ["returns the forwarding proxy if an entry lacks a closing bracket", 1, "[203.0.113.9:1", "10.0.0.1"],
  ["returns one spelling for all spellings of an IPv6 address", 1, "2001:DB8:0:0:0:0:0:1%eth0", "2001:db8::1"],
])("findClientAddress %s", (_, hops, forwardedFor, expected) => {
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
