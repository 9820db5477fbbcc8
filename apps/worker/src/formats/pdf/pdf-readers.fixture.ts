import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { getDocument, VerbosityLevel, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { hasPdftotext } from "../readers.fixture.ts";

export type PdfCells = readonly (readonly string[])[];

export interface PdfReader {
  readonly program: "own" | "other";
  readonly isInstalled: boolean;
  readonly cells: (path: string) => Promise<PdfCells> | PdfCells;
  readonly text: (path: string) => Promise<string> | string;
}

export const pdfReaders: Readonly<Record<string, PdfReader>> = {
  poppler: { program: "other", isInstalled: hasPdftotext, cells: readCellsByPdfinfo, text: readTextByPdftotext },
  "pdf.js": { program: "own", isInstalled: true, cells: readCellsByPdfjs, text: readTextByPdfjs },
};

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
}

function readTextByPdftotext(path: string): string {
  return removeSpace(run("pdftotext", "-raw", path, "-"));
}

const cachedCells = new Map<string, PdfCells>();

/** Caches the cells per path, because poppler takes seconds for a large structure. */
function readCellsByPdfinfo(path: string): PdfCells {
  const cells = cachedCells.get(path) ?? readStructure(path);
  cachedCells.set(path, cells);
  return cells;
}

function readStructure(path: string): PdfCells {
  const rows: string[][] = [];
  let cell: string | null = null;
  const endCell = (): void => {
    // poppler prints each piece of text in quotes, indented like its element.
    if (cell !== null) rows.at(-1)!.push(normaliseSpace(cell.replaceAll(/^\s*"|"$/gm, "")));
    cell = null;
  };
  for (const line of run("pdfinfo", "-struct-text", path).split("\n")) {
    const element = /^ *([A-Z][A-Za-z0-9]*)(?: \(block\)|:)*$/.exec(line)?.[1];
    if (element === undefined) {
      if (cell !== null && !/^ *\/\w+ /.test(line)) cell += `${line}\n`;
      continue;
    }
    endCell();
    if (element === "TR") rows.push([]);
    if (element === "TD" || element === "TH") cell = "";
  }
  endCell();
  return rows;
}

export async function loadPdfPages(path: string, numbers?: readonly number[]): Promise<PDFPageProxy[]> {
  const document = await getDocument({ data: new Uint8Array(readFileSync(path)), verbosity: VerbosityLevel.ERRORS })
    .promise;
  const opened = numbers ?? Array.from({ length: document.numPages }, (_, at) => at + 1);
  return Promise.all(opened.map(async (number) => document.getPage(number)));
}

async function readTextByPdfjs(path: string): Promise<string> {
  const contents = (await loadPdfPages(path)).map(async (page) => page.getTextContent());
  const items = (await Promise.all(contents)).flatMap((content) => content.items);
  return removeSpace(items.map((item) => ("str" in item ? item.str : "")).join(""));
}

interface StructureNode {
  readonly role?: string;
  readonly type?: string;
  readonly id?: string;
  readonly children?: readonly StructureNode[];
}

async function readCellsByPdfjs(path: string): Promise<PdfCells> {
  const rows: string[][] = [];
  for (const page of await loadPdfPages(path)) {
    const texts = await readMarkedTexts(page);
    const textOf = ({ type, id, children = [] }: StructureNode): string =>
      type === "content" ? (texts.get(id ?? "") ?? "") : children.map(textOf).join("");
    const walk = ({ role, children = [] }: StructureNode): void => {
      if (role === "TR") rows.push(children.map((cell) => normaliseSpace(textOf(cell))));
      else children.forEach(walk);
    };
    const tree = (await page.getStructTree()) as StructureNode | null;
    if (tree !== null) walk(tree);
  }
  // pdf.js returns the structure of a page with empty rows of other pages.
  return rows.filter((row) => row.some((cell) => cell !== ""));
}

async function readMarkedTexts(page: PDFPageProxy): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const open: (string | null)[] = [];
  for (const item of (await page.getTextContent({ includeMarkedContent: true })).items) {
    if ("str" in item) {
      const id = open.findLast((candidate) => candidate !== null) ?? null;
      // A line break replaces the space at which a line was wrapped, because pdf.js removes that space.
      if (id !== null) texts.set(id, `${texts.get(id) ?? ""}${item.str}${item.hasEOL ? "\n" : ""}`);
    } else if (item.type === "endMarkedContent") open.pop();
    else open.push(item.id ?? null);
  }
  return texts;
}

function normaliseSpace(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function removeSpace(text: string): string {
  return text.replaceAll(/\s/g, "");
}
