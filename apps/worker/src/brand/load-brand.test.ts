import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { ConfigurationError } from "@reports/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readWorkerConfig } from "../config.ts";
import { defaultBrand } from "./brand.ts";
import { loadBrand } from "./load-brand.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "brand-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const needed = { DATABASE_URL: "postgres://u@h/d", STORAGE_DIR: "/files" };
const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20">${content}</svg>`;

async function brandWith(logo: string | Buffer) {
  const path = join(folder, "logo");
  writeFileSync(path, logo);
  return loadBrand(readWorkerConfig({ ...needed, REPORT_BRAND_LOGO: path }));
}

test("without brand settings, documents get the default brand", async () => {
  expect(await loadBrand(readWorkerConfig(needed))).toEqual(defaultBrand);
});

test("the brand has the name, colour and footer of the settings", async () => {
  const config = readWorkerConfig({
    ...needed,
    REPORT_BRAND_NAME: " Acme Corp. ",
    REPORT_BRAND_COLOR: "#ffd700",
    REPORT_BRAND_FOOTER: "Confidential – internal use only",
  });
  expect(await loadBrand(config)).toMatchObject({
    name: "Acme Corp.",
    footer: "Confidential – internal use only",
    logo: null,
    palette: { brand: "FFD700" },
  });
});

test("an SVG logo is drawn at the size for documents, a PNG logo keeps its pixels", async () => {
  const { logo } = await brandWith(
    svg(
      '<rect width="10" height="20" fill="#c00000"/><rect x="10" width="10" height="20" fill="#c86432" fill-opacity="0.6"/>',
    ),
  );
  expect(logo).toMatchObject({ widthPx: 600, heightPx: 400 });
  const pixelOf = (x: number) => {
    const rgb = inflateSync(Buffer.from(logo!.rgb, "base64"));
    const alpha = inflateSync(Buffer.from(logo!.alpha!, "base64"));
    return [...rgb.subarray(x * 3, x * 3 + 3), alpha[x]];
  };
  expect(pixelOf(100)).toEqual([0xc0, 0, 0, 255]);
  expect(pixelOf(300)).toEqual([0xc8, 0x64, 0x32, 153]);
  expect(pixelOf(500)).toEqual([0, 0, 0, 0]);
  const again = await brandWith(Buffer.from(logo!.png, "base64"));
  expect(again.logo).toEqual(logo);
});

test.each([
  ["no image", "GIF89a", "must be a PNG or SVG"],
  ["an SVG that is not well-formed", '<svg xmlns="http://www.w3.org/2000/svg"><rect', "must be a well-formed SVG"],
  ["an SVG that draws nothing", svg(""), "must be an SVG that draws something"],
  ["an SVG with text", svg('<text y="9">Acme</text>'), "must be an SVG whose text has been converted to paths"],
  [
    "an SVG with an image elsewhere",
    svg('<image href="https://example.org/a.png" width="9" height="9"/>'),
    "within it",
  ],
  ["a PNG that is cut off", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), "this PNG is cut off"],
  ["a large file", Buffer.alloc(1024 * 1024 + 1), "must be of at most 1 MiB"],
])("loading the brand refuses %s as a logo", async (_, logo, message) => {
  await expect(brandWith(logo)).rejects.toThrow(ConfigurationError);
  await expect(brandWith(logo)).rejects.toThrow(message);
});

test("the error names an invalid brand setting, and the path of a missing logo", async () => {
  const wrong = { REPORT_BRAND_NAME: "two\nlines", REPORT_BRAND_COLOR: "red", REPORT_BRAND_FOOTER: "x".repeat(121) };
  for (const name of Object.keys(wrong)) expect(() => readWorkerConfig({ ...needed, ...wrong })).toThrow(name);
  const config = readWorkerConfig({ ...needed, REPORT_BRAND_LOGO: join(folder, "missing.png") });
  await expect(loadBrand(config)).rejects.toThrow(/REPORT_BRAND_LOGO: cannot be read: .*missing\.png/);
});
