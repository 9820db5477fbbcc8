import { execFileSync } from "node:child_process";

interface PdfObject {
  readonly value?: Readonly<Record<string, unknown>>;
  readonly stream?: { readonly dict: Readonly<Record<string, unknown>>; readonly data: string };
}

export function readDrawnTexts(path: string): string[] {
  const given = ["--json=2", "--json-stream-data=inline", "--decode-level=generalized", path];
  const json = execFileSync("qpdf", given, { encoding: "utf8", maxBuffer: 2 ** 28 });
  const objects = (JSON.parse(json) as { readonly qpdf: readonly [unknown, Readonly<Record<string, PdfObject>>] })
    .qpdf[1];
  const streamOf = (reference: unknown): string => {
    const data = objects[`obj:${String(reference)}`]?.stream?.data ?? "";
    return Buffer.from(data, "base64").toString("latin1");
  };
  const fonts = Object.values(objects).find(({ value }) =>
    Object.keys(value ?? {}).some((key) => /^\/F\d+$/.test(key)),
  );
  const charactersOf = new Map(
    Object.entries(fonts?.value ?? {}).map(([name, reference]) => {
      const font = objects[`obj:${String(reference)}`]?.value ?? {};
      return [name, parseCharacterMap(streamOf(font["/ToUnicode"]))];
    }),
  );
  const contents = Object.values(objects).flatMap(({ stream }) =>
    stream === undefined ? [] : [Buffer.from(stream.data, "base64").toString("latin1")],
  );
  return contents.flatMap((content) => parseShownTexts(content, charactersOf));
}

function parseCharacterMap(map: string): ReadonlyMap<number, string> {
  const pairs = [...map.matchAll(/^<([\da-f]{4})> <([\da-fA-F]+)>$/gm)];
  return new Map(
    pairs.map(([, cid, text]) => [Number.parseInt(cid!, 16), Buffer.from(text!, "hex").swap16().toString("utf16le")]),
  );
}

function parseShownTexts(content: string, fonts: ReadonlyMap<string, ReadonlyMap<number, string>>): string[] {
  const texts: string[] = [];
  let font: ReadonlyMap<number, string> | undefined;
  // Each text begins with the operator Td. Strings contain no escapes, because EmbeddedFace skips the character IDs that would need one.
  for (const [token, name, glyphs] of content.matchAll(/(\/F\d+) \d+ Tf|\(([^()]*)\)|\bTd\b/gs)) {
    if (token === "Td") texts.push("");
    else if (name !== undefined) font = fonts.get(name);
    else if (texts.length > 0) {
      const bytes = Buffer.from(glyphs!, "latin1");
      for (let at = 0; at + 1 < bytes.length; at += 2)
        texts[texts.length - 1] += font?.get(bytes.readUInt16BE(at)) ?? "";
    }
  }
  // If a letter has several glyphs, all but one of them map to zero-width spaces, which are removed here.
  return texts.map((text) => text.replaceAll("\u200B", "")).filter((text) => text !== "");
}
