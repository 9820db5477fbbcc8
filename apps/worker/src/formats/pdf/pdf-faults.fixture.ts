import { execFileSync, spawnSync } from "node:child_process";
import { findProgramPath } from "@reports/testing";
import type { Brand } from "../../brand/brand.ts";
import { loadPdfPages } from "./pdf-readers.fixture.ts";

export interface ExpectedPdf {
  readonly rows: number;
  readonly paper: "A4" | "LETTER";
  readonly language: "en" | "de" | "fr";
  readonly brand: Brand;
  readonly reportId: string;
}

interface Word {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly text: string;
}

const paperSizes = { A4: [595, 842], LETTER: [612, 792] } as const;
/** Height of the foot in points. Every text that begins this close to the lower edge of the page is a part of the foot. */
const footHeight = 62;
const edge = { x: 18, y: 5 };
const rawValue = /\bundefined\b|\bnull\b|\bNaN\b|\[object|\bInvalid\b|\{\w+\}/;
const firstWords = { en: "Data as of", de: "Datenstand", fr: "Données du" } as const;
const englishWords =
  /\b(?:Data as of|rows|Requested|Filters|Needs action|Enabled|Expired|Healthy|Yes|No|Owner|Host name)\b/;
const pageNumber = /\b(?:Page|Seite) [\d\s.,\u202F\u00A0]+ (?:of|von|sur) [\d.,\u202F\u00A0]+/;

export async function findPdfDefects(path: string, expected: ExpectedPdf): Promise<readonly string[]> {
  const info = run("pdfinfo", path);
  const pageCount = Number(/Pages:\s+(\d+)/.exec(info)![1]);
  const [, width = 0, height = 0] = /Page size:\s+([\d.]+) x ([\d.]+)/.exec(info)!.map(Number);
  const faults = findReaderFaults(path);
  const size = [width, height].map(Math.round).toSorted((a, b) => a - b);
  if (size.join(" ") !== paperSizes[expected.paper].join(" ")) faults.push(`pages of ${size.join(" x ")}`);
  if (expected.rows === 0 && (pageCount > 1 || width > height))
    faults.push(`${pageCount} pages ${width} wide, no rows`);
  if (expected.rows === 1 && pageCount > 2) faults.push(`${pageCount} pages for one row`);
  const numbers = [...new Set([1, 2, 3, 4, 5, pageCount - 1, pageCount])].filter((at) => at > 0 && at <= pageCount);
  const pages = numbers.map((number) => ({ number, words: readWords(path, number) }));
  for (const { number, words } of pages)
    for (const fault of findPageFaults(words, { ...expected, width, height })) faults.push(`page ${number}: ${fault}`);
  const text = pages.flatMap(({ words }) => words.map((word) => word.text)).join(" ");
  if (!text.includes(firstWords[expected.language])) faults.push(`no “${firstWords[expected.language]}”`);
  const english = expected.language === "en" ? null : englishWords.exec(text);
  if (english !== null) faults.push(`English word ${english[0]}`);
  return [...faults, ...(await compareWithPdfjs(path, [1, pageCount]))];
}

/** Lets qpdf, Ghostscript and mutool read all pages. Programs that are not installed are left out. */
function findReaderFaults(path: string): string[] {
  const readers = [
    ["qpdf", "--check", path],
    ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dPDFSTOPONERROR", "-sDEVICE=nullpage", path],
    ["mutool", "draw", "-q", "-F", "txt", "-o", "/dev/null", path],
  ] as const;
  return readers.flatMap(([program, ...args]) => {
    if (findProgramPath(program) === null) return [];
    const { status, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
    return status === 0 && stderr === "" ? [] : [`${program} ended with ${status}: ${stderr.slice(0, 200)}`];
  });
}

function readWords(path: string, page: number): readonly Word[] {
  const xml = run("pdftotext", "-bbox", "-f", String(page), "-l", String(page), path, "-");
  const pattern = /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)</g;
  return [...xml.matchAll(pattern)].map(([, left, top, right, bottom, text = ""]) => ({
    left: Number(left),
    top: Number(top),
    right: Number(right),
    bottom: Number(bottom),
    text: text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  }));
}

function findPageFaults(
  words: readonly Word[],
  { width, height, reportId, brand }: ExpectedPdf & { readonly width: number; readonly height: number },
): readonly string[] {
  const faults: string[] = [];
  for (const [at, word] of words.entries()) {
    const { left, top, right, bottom, text } = word;
    if (left < edge.x || right > width - edge.x || top < edge.y || bottom > height - edge.y)
      faults.push(`“${text}” is beyond the margin`);
    if (rawValue.test(text)) faults.push(`raw value “${text}”`);
    const over = words.slice(at + 1, at + 40).find((other) => doOverlap(word, other));
    if (over !== undefined) faults.push(`“${text}” overlaps “${over.text}”`);
  }
  const foot = words
    .filter(({ top }) => top > height - footHeight)
    .map(({ text }) => text)
    .join(" ");
  for (const part of [brand.name, brand.footer ?? ""])
    if (!foot.includes(part)) faults.push(`no “${part}” in the foot`);
  if (!foot.replaceAll(" ", "").includes(reportId)) faults.push("no ID in the foot");
  if (!pageNumber.test(foot)) faults.push(`no page number in the foot: ${foot.slice(-40)}`);
  return faults;
}

function doOverlap(one: Word, other: Word): boolean {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return across > 1.5 && down > 0.55 * Math.min(one.bottom - one.top, other.bottom - other.top);
}

/** Compares the characters that pdf.js and poppler read on each page. Ignores their order, because the two programs order them differently. */
async function compareWithPdfjs(path: string, numbers: readonly number[]): Promise<readonly string[]> {
  const pages = await loadPdfPages(path, numbers);
  const contents = await Promise.all(pages.map(async (page) => page.getTextContent()));
  return contents.flatMap(({ items }, at) => {
    const found = items.map((item) => ("str" in item ? item.str : "")).join("");
    const page = String(numbers[at]);
    const expected = run("pdftotext", "-raw", "-f", page, "-l", page, path, "-");
    return sortCharacters(found) === sortCharacters(expected) ? [] : [`pdf.js and poppler read another page ${page}`];
  });
}

function sortCharacters(text: string): string {
  return Array.from(text.replaceAll(/[\s\p{Cf}]/gu, ""))
    .toSorted()
    .join("");
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
}
