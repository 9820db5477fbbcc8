import { expect, test } from "vitest";
import { compressions, fileExtension, formatProperties, isCompressible, mediaTypeOf, reportFormats } from "./format.ts";

test("each format and compression has its own extension and the right media type", () => {
  const files = reportFormats.flatMap((format) =>
    compressions
      .filter((compression) => compression === "none" || isCompressible(format))
      .map((compression) => ({ format, compression, extension: fileExtension(format, compression) })),
  );
  expect(new Set(files.map(({ extension }) => extension)).size).toBe(files.length);
  for (const { format, compression, extension } of files) {
    const expected = { none: formatProperties[format].mediaType, gzip: "application/gzip", zstd: "application/zstd" };
    expect({ extension, type: mediaTypeOf(extension) }).toEqual({ extension, type: expected[compression] });
  }
});

test("no compression changes the extension pdf; unknown extensions are octet-stream", () => {
  expect(fileExtension("pdf", "gzip")).toBe("pdf");
  expect(mediaTypeOf("constructor")).toBe("application/octet-stream");
});
