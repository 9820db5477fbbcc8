import { expect, test } from "vitest";
import { formatContentDisposition } from "./content-disposition.ts";

test.each([
  ["Proxies 2026-01-31.pdf", 'attachment; filename="Proxies 2026-01-31.pdf"'],
  ["Übersicht.pdf", "attachment; filename=\"Ubersicht.pdf\"; filename*=UTF-8''%C3%9Cbersicht.pdf"],
  ["报告.csv", "attachment; filename=\"__.csv\"; filename*=UTF-8''%E6%8A%A5%E5%91%8A.csv"],
  ["a'b(c)*.csv", 'attachment; filename="a\'b(c)_.csv"'],
  ["é'(.csv", "attachment; filename=\"e'(.csv\"; filename*=UTF-8''%C3%A9%27%28.csv"],
  ['a"; filename="evil.exe', 'attachment; filename="a__ filename=_evil.exe"'],
  ["a\r\nSet-Cookie: x.csv", 'attachment; filename="aSet-Cookie_ x.csv"'],
  ["../../etc/passwd", 'attachment; filename=".._.._etc_passwd"'],
  ["gpj.\u202Eexe", 'attachment; filename="gpj.exe"'],
  ["\u0000", 'attachment; filename="report"'],
  ["\uD800.csv", "attachment; filename=\"_.csv\"; filename*=UTF-8''%EF%BF%BD.csv"],
])("the file name %j becomes a safe Content-Disposition", (name, expected) => {
  expect(formatContentDisposition(name)).toBe(expected);
});
