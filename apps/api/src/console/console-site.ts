import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultBrandColour, defaultBrandName } from "@reports/runtime";
import { html } from "../html.ts";
import { createStaticText, type StaticText } from "../http/static-text.ts";
import type { ConsoleSignIn } from "./console-sign-in.ts";

export interface ConsoleFile {
  readonly contentType: string;
  readonly text: StaticText;
}

export interface ConsoleSite {
  readonly page: StaticText;
  readonly files: ReadonlyMap<string, ConsoleFile>;
  /** Null if people sign in by name and password only. */
  readonly signIn: ConsoleSignIn | null;
}

const contentTypeByExtension: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

export function findConsoleFolder(): string {
  return join(dirname(fileURLToPath(import.meta.resolve("@reports/console/package.json"))), "dist/site");
}

export interface ReadConsoleSiteOptions {
  readonly signIn: ConsoleSignIn | null;
  /** The name and the colour that the console shows. The colour is six upper-case hexadecimal digits. */
  readonly brand: { readonly name: string; readonly colour: string };
}

const defaultOptions: ReadConsoleSiteOptions = {
  signIn: null,
  brand: { name: defaultBrandName, colour: defaultBrandColour },
};

/** Reads the built console into memory; null if the folder has no index.html because the console was not built. */
export function readConsoleSite(folder: string, options: Partial<ReadConsoleSiteOptions> = {}): ConsoleSite | null {
  const { signIn, brand } = { ...defaultOptions, ...options };
  const names = listFileNames(folder);
  if (!names.includes("index.html")) return null;
  const readStatic = (name: string): StaticText => createStaticText(readFileSync(join(folder, name), "utf8"));
  const files = names.flatMap((name): [string, ConsoleFile][] => {
    const contentType = contentTypeByExtension[extname(name)];
    return contentType === undefined ? [] : [[name, { contentType, text: readStatic(name) }]];
  });
  const page = readFileSync(join(folder, "index.html"), "utf8");
  return { page: createStaticText(addSignInSettings(addBrand(page, brand), signIn)), files: new Map(files), signIn };
}

function addBrand(page: string, { name, colour }: ReadConsoleSiteOptions["brand"]): string {
  const title = html`<title>${name}</title>`;
  const meta = html`<meta name="theme-color" content="#${colour}" />`;
  return page.replace(/<title>[^<]*<\/title>/, () =>
    colour === defaultBrandColour ? title.text : `${meta.text}\n${title.text}`,
  );
}

/** Inserts the OIDC settings as a meta element, because the page's Content-Security-Policy forbids inline scripts. */
function addSignInSettings(page: string, signIn: ConsoleSignIn | null): string {
  if (signIn === null) return page;
  const { issuer, clientId, scope } = signIn;
  const content = JSON.stringify({ issuer, clientId, scope }).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return page.replace("<title>", () => `<meta name="oidc" content="${content}">\n<title>`);
}

function listFileNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
