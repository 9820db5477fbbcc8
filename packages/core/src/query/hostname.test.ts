import { describe, expect, test } from "vitest";
import { hostnameToAscii, normaliseHost, parseHostname } from "./hostname.ts";

describe("parseHostname", () => {
  test.each([
    ["example.org", "example.org", "example.org"],
    ["EXAMPLE.Org.", "example.org", "example.org"],
    ["Bücher.Example", "xn--bcher-kva.example", "bücher.example"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example", "bücher.example"],
    ["Faß.de", "xn--fa-hia.de", "faß.de"],
    ["例え。テスト", "xn--r8jz45g.xn--zckzah", "例え.テスト"],
    ["مثال.إختبار", "xn--mgbh0fb.xn--kgbechtv", "مثال.إختبار"],
    ["*.Bücher.example", "*.xn--bcher-kva.example", "*.bücher.example"],
    ["💩.la", "xn--ls8h.la", "💩.la"],
    ["3com.com", "3com.com", "3com.com"],
    ["1.2.3.4.in-addr.arpa", "1.2.3.4.in-addr.arpa", "1.2.3.4.in-addr.arpa"],
    [`${"a".repeat(63)}.org`, `${"a".repeat(63)}.org`, `${"a".repeat(63)}.org`],
  ])("parseHostname returns both forms of the host name %j", (text, ascii, unicode) => {
    expect(parseHostname(text)).toEqual({ ok: true, ascii, unicode });
  });

  test.each([
    ["", "empty"],
    ["localhost", "labels"],
    ["org.", "labels"],
    [".", "label"],
    ["..", "label"],
    ["example.org..", "empty label"],
    [".example.org", "empty label"],
    ["a..org", "empty label"],
    ["under_score.org", "character"],
    ["-edge.org", "hyphen"],
    ["edge-.org", "hyphen"],
    ["example.-org", "hyphen"],
    ["999.1.1.1", "label"],
    ["example.123", "label"],
    ["1.2", "number"],
    ["１.２.３.４", "number"],
    ["192.0.2.1", "IP address"],
    ["192.0.2.1.", "number"],
    ["0x7f.1", "number"],
    ["::1", "IP address"],
    ["[2001:db8::1]", "IP address"],
    ["*", "wildcard"],
    ["*.*.example.org", "wildcard"],
    ["a.*.org", "wildcard"],
    ["*a.example.org", "wildcard"],
    ["*.org", "labels"],
    ["a/b.org", "character"],
    ["a／b.org", "label"],
    ["a%41.org", "character"],
    ["user@example.org", "character"],
    ["example.org:80", "character"],
    ["exa mple.org", "character"],
    ["example.org\n", "character"],
    ["exa\u0000mple.org", "character"],
    ["\ud800.org", "character"],
    ["a\u200db.org", "UTS #46"],
    ["a.1", "ends in a label that is a number"],
    ["a.0x1f", "ends in a label that is a number"],
    ["例え。１", "ends in a label that is a number"],
    ["a.*.org", "has a wildcard (*) other than as its whole first label"],
    ["xn--a.com", "Punycode"],
    ["xn--0.com", "Punycode"],
    // Without this refusal, `xn---7a.com` would be a second name of `xn--7a.com`, because both decode to the same Unicode name.
    ["xn---7a.com", "Punycode"],
    [`${"a".repeat(64)}.org`, "63 octets"],
    [`${"ü".repeat(60)}.org`, "63 octets"],
    [`${"a.".repeat(125)}abcd`, "253 octets"],
    ["a".repeat(2000), "253 octets"],
  ])("parseHostname refuses %j and says why", (text, reason) => {
    const result = parseHostname(text);
    expect(result).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  test("parseHostname accepts a host name of 253 octets, including its wildcard", () => {
    const longest = `*.${"a.".repeat(124)}org`;
    expect(longest).toHaveLength(253);
    expect(hostnameToAscii(longest)).toBe(longest);
    expect(hostnameToAscii(`${longest}x`)).toBeNull();
  });
});

describe("normaliseHost", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["::", "::"],
    ["Proxy-1", "proxy-1"],
    ["Bücher.example", "xn--bcher-kva.example"],
  ])("normaliseHost turns %j into %j", (text, normal) => {
    expect(normaliseHost(text)).toBe(normal);
  });

  test.each([
    "",
    "999.1.1.1",
    "192.0.2",
    "192.0.2.01",
    "fe80::1%eth0",
    "[::1]",
    ":::",
    "*.example.org",
    "a_b",
    "1",
    "http://a",
  ])("normaliseHost refuses %j: neither a host name nor an IP address", (text) => {
    expect(normaliseHost(text)).toBeNull();
  });
});
