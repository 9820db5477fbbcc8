import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { renderPackageNotice, readDeliveredPackage } from "./package-notice.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "package-notice-"));
afterAll(() => rmSync(folder, { recursive: true }));

const written = (manifest: object, readme = ""): string => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "some", version: "1.2.3", ...manifest }));
  writeFileSync(join(folder, "README.md"), readme);
  return folder;
};

test("the notice of an MPL package has the licence text and the URL of the source", () => {
  const notice = renderPackageNotice(readDeliveredPackage(join(root, "apps/worker/node_modules/@resvg/resvg-wasm")));
  expect(notice).toMatch(
    /^@resvg\/resvg-wasm \d+\.\d+\.\d+ \(MPL-2\.0\)\nSource: https:\/\/github\.com\/yisibl\/resvg-js\n/,
  );
  expect(notice).toContain("can be had under this licence from the address above");
  expect(notice).toContain("Mozilla Public License Version 2.0");
  expect(notice).toContain("3.2. Distribution of Executable Form");
});

test("the notice of a package without a licence file has a readme's or standard text", () => {
  const inReadme =
    "# some\n## License\n\nCopyright (c) Ada\n\nPermission is hereby granted, free of charge, to any person";
  expect(renderPackageNotice(readDeliveredPackage(written({ license: "MIT" }, inReadme)))).toBe(
    "some 1.2.3 (MIT)\n\nCopyright (c) Ada\n\nPermission is hereby granted, free of charge, to any person",
  );
  const named = renderPackageNotice(
    readDeliveredPackage(written({ license: "MIT", author: { name: "Ada" }, repository: "ada/some" })),
  );
  expect(named).toContain(
    "some 1.2.3 (MIT)\nSource: https://github.com/ada/some\n\nAuthor: Ada\n\nPermission is hereby granted",
  );
});

test.each([
  ["git+ssh://git@github.com/a/b.git", "https://github.com/a/b"],
  ["git://github.com/a/b.git", "https://github.com/a/b"],
  ["https://example.org/a/b/", "https://example.org/a/b"],
  ["github:a/b", "https://github.com/a/b"],
])("readDeliveredPackage converts the repository %s to the URL %s", (repository, source) => {
  expect(readDeliveredPackage(written({ license: "MIT", repository })).source).toBe(source);
});

test("a package without a licence, its text or a required source causes an error", () => {
  expect(() => readDeliveredPackage(written({}))).toThrow("states no licence");
  expect(() => renderPackageNotice(readDeliveredPackage(written({ license: "Own-1.0" })))).toThrow(
    "brings no text of its licence",
  );
  expect(() => readDeliveredPackage(written({ license: "MPL-2.0" }))).toThrow("does not say where its source is");
});
