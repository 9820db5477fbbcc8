import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Folder of licence texts by SPDX ID. Some packages name a licence but do not contain its text. */
const licenceTexts = join(import.meta.dirname, "licences");
/** Licences that require the source of distributed binaries, such as section 3.2 of MPL-2.0. */
const sourceRequiredPattern = /^(MPL|LGPL|EPL|CDDL)-/;

export interface DeliveredPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly source: string | null;
  readonly author: string | null;
  readonly folder: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: unknown;
  readonly repository?: string | { readonly url?: string };
  readonly author?: string | { readonly name?: string };
}

export function readDeliveredPackage(folder: string): DeliveredPackage {
  const { name, version, license, repository, author } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Manifest;
  if (typeof license !== "string")
    throw new Error(`${name}@${version} states no licence. Find its licence before you deliver it.`);
  const source = repositoryUrlOf(typeof repository === "string" ? repository : repository?.url);
  if (source === null && sourceRequiredPattern.test(license))
    throw new Error(
      `${name}@${version} is under ${license} and does not say where its source is. Find it before you deliver the package.`,
    );
  return {
    name,
    version,
    license,
    source,
    author: (typeof author === "string" ? author : author?.name) ?? null,
    folder,
  };
}

export function renderPackageNotice({ name, version, license, source, author, folder }: DeliveredPackage): string {
  const sourceLine = source === null ? [] : [`Source: ${source}`];
  const sourceOffer = sourceRequiredPattern.test(license)
    ? [
        `Delivered as a binary, unchanged. Its source, of version ${version}, can be had under this licence from the address above.`,
      ]
    : [];
  const heading = [`${name} ${version} (${license})`, ...sourceLine, ...sourceOffer].join("\n");
  const brought = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice|ofl)/i.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
  const texts =
    brought.length > 0 ? brought : [textInReadme(folder) ?? licenceText(license, author, `${name}@${version}`)];
  return [heading, ...texts].join("\n\n");
}

function textInReadme(folder: string): string | null {
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file));
  if (readme === undefined) return null;
  const section = /^#+ *licen[cs]e\b[^\n]*\n([\s\S]*)/im.exec(readFileSync(join(folder, readme), "utf8"))?.[1]?.trim();
  return section?.includes("Permission is hereby granted") === true ? section : null;
}

function licenceText(license: string, author: string | null, which: string): string {
  const path = join(licenceTexts, `${license}.txt`);
  if (!existsSync(path))
    throw new Error(`${which} brings no text of its licence. Add that of ${license} to scripts/images/licences.`);
  const text = readFileSync(path, "utf8").trim();
  return author === null ? text : `Author: ${author}\n\n${text}`;
}

function repositoryUrlOf(repository: string | undefined): string | null {
  if (repository === undefined) return null;
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(repository)?.[1];
  if (short !== undefined) return `https://github.com/${short}`;
  const [, host, path] =
    /^(?:git\+)?(?:(?:https?|git|ssh):\/\/)?(?:git@)?([\w.-]+\.\w+)[:/](.+?)(?:\.git)?\/?$/.exec(repository) ?? [];
  return host === undefined || path === undefined ? null : `https://${host}/${path}`;
}
