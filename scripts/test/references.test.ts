import { globSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { compressions, orientations, papers, reportFormats } from "@reports/client";
import { expect, test } from "vitest";
import { commandGroups } from "../commands/named-commands.ts";

const root = join(import.meta.dirname, "..", "..");
const ignored = new Set([
  "node_modules",
  "dist",
  ".git",
  ".turbo",
  ".data",
  "coverage",
  "generated",
  "golden",
  "corpora",
]);
const files = globSync("**/*.{ts,mjs,sh,md,yml,yaml,toml,Dockerfile}", {
  cwd: root,
  exclude: (name) => ignored.has(name.split("/").at(-1)!) || name.endsWith("pnpm-lock.yaml"),
})
  .concat(".ci/run")
  // This file contains the texts that its tests forbid.
  .filter((file) => file !== "scripts/test/references.test.ts");
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
const pages = files.filter((file) => file.endsWith(".md"));

function exists(path: string): boolean {
  return statSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}

/** Returns the text of a page without code blocks, because code contains example paths. */
function proseOf(page: string): string {
  return texts.get(page)!.replaceAll(/^```[^]*?^```/gm, "");
}

function anchorsOf(page: string): Set<string> {
  const headings = proseOf(page).matchAll(/^#+ +(.+)$/gm);
  return new Set([...headings].map(([, heading]) => slugOf(heading!)));
}

function slugOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
}

function unresolved(file: string, text: string, pattern: RegExp, resolves: (match: RegExpMatchArray) => boolean) {
  return [...text.matchAll(pattern)].filter((match) => !resolves(match)).map(([found]) => `${file}: ${found.trim()}`);
}

function everywhere(pattern: RegExp, resolves: (match: RegExpMatchArray, file: string) => boolean): string[] {
  return [...texts].flatMap(([file, text]) => unresolved(file, text, pattern, (match) => resolves(match, file)));
}

test("no page repeats a paragraph near its first place", () => {
  const repeated = pages.flatMap((page) => {
    const paragraphs = proseOf(page)
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph.length > 20 && !paragraph.startsWith("<!--"));
    return paragraphs.flatMap((paragraph, at) =>
      paragraphs.slice(at + 1, at + 4).includes(paragraph) ? [`${page}: ${paragraph}`] : [],
    );
  });
  expect(repeated).toEqual([]);
});

test("relative links of documents lead to existing files and headings", () => {
  const broken = pages.flatMap((page) =>
    unresolved(page, proseOf(page), /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g, ([, path, anchor]) => {
      const target = path === "" ? page : join(dirname(page), path!);
      return exists(target) && (anchor === undefined || anchorsOf(target).has(anchor));
    }),
  );
  expect(broken).toEqual([]);
});

test("every page and anchor of docs/ that a file names exists", () => {
  const broken = everywhere(/\bdocs\/([\w/.-]*\w)(?:#([\w-]+))?/g, ([, path, anchor]) => {
    const page = `docs/${path}`;
    if (/^decisions\/\d{4}$/.test(path!)) return globSync(`${page}-*.md`, { cwd: root }).length === 1;
    return exists(page) && (anchor === undefined || anchorsOf(page).has(anchor));
  });
  expect(broken).toEqual([]);
});

test("documents and sources cite section numbers only of standards", () => {
  const tokens =
    /(?<page>\b[\w/-]+\.md\b|\b(?:contract|spec|specification)\b)|(?<standard>\bRFC \d+|\bISO \d+-\d|WHATWG HTML|OpenID Connect Core|MPL-2\.0|[Ss]ection)|§/g;
  const broken = everywhere(/^.*§.*$/gm, ([line]) => {
    let isStandard = false;
    return [...line.matchAll(tokens)].every(({ groups }) => {
      const isName = groups?.["page"] !== undefined || groups?.["standard"] !== undefined;
      if (isName) isStandard = groups["standard"] !== undefined;
      return isName || isStandard;
    });
  });
  expect(broken).toEqual([]);
});

test("every decision that is cited by number exists", () => {
  const broken = everywhere(
    /\bdecisions?[ /](\d{4})\b/g,
    ([, number]) => globSync(`docs/decisions/${number}-*.md`, { cwd: root }).length === 1,
  );
  expect(broken).toEqual([]);
});

test("every path of the repository that a document names exists", () => {
  const broken = pages.flatMap((page) =>
    unresolved(
      page,
      proseOf(page),
      /`((?:apps|packages|scripts|docs|deploy|torture|bench|patches|\.ci)\/[\w./@*<>-]*)`/g,
      ([, path]) =>
        /[*<]/.test(path!) ? globSync(path!.replaceAll(/<[^>]*>/g, "*"), { cwd: root }).length > 0 : exists(path!),
    ),
  );
  expect(broken).toEqual([]);
});

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

function isCommand([, script, name]: RegExpMatchArray): boolean {
  if (["audit", "deploy", "patch", "exec", "install", "publish"].includes(script!)) return true;
  const group = commandGroups[script!];
  return Object.hasOwn(scripts, script!) && (group === undefined || name === undefined || name in group.commands);
}

test("every pnpm or npm command in a document exists", () => {
  const command = /(?:`|^| )(?:pnpm(?: run)?|npm run) ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/gm;
  expect(pages.flatMap((page) => unresolved(page, texts.get(page)!, command, isCommand))).toEqual([]);
});

test("every pnpm or npm command that a source quotes exists", () => {
  const command = /(?:`|Usage: )(?:pnpm(?: run)?|npm run) ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g;
  expect(everywhere(command, isCommand)).toEqual([]);
});

test("docs/README.md links every page of docs/, and the index of decisions", () => {
  const index = texts.get("docs/README.md") ?? "";
  const missing = pages
    .filter((page) => /^docs\/(?!decisions\/|README\.md$)/.test(page))
    .concat("docs/decisions")
    .filter((page) => !index.includes(`](${page.slice("docs/".length)})`));
  expect(missing).toEqual([]);
});

test.each(
  Object.entries({ format: reportFormats, compression: compressions, paper: papers, orientation: orientations }),
)("docs/reference/resources/reports.md lists the values of the option %s", (option, values) => {
  const [, named = ""] =
    new RegExp(`^\\| \`${option}\` \\| ([^;|]*)`, "m").exec(texts.get("docs/reference/resources/reports.md")!) ?? [];
  expect(named.trim()).toBe(values.map((value) => `\`${value}\``).join(", "));
});
