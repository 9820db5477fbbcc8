import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandError, usageError } from "../command-error.ts";
import { toSafeText } from "../output/to-safe-text.ts";

export interface Profile {
  readonly url: string;
  readonly token: string;
}

export type Profiles = ReadonlyMap<string, Profile>;

export const defaultProfileName = "default";

/** The file contains tokens, so only its owner may read it. */
const fileMode = 0o600;
const folderMode = 0o700;

export function getProfileFilePath(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  const { APPDATA: appData, XDG_CONFIG_HOME: xdgFolder, HOME: home } = environment;
  // The XDG specification says to ignore a relative path.
  const configFolder = xdgFolder?.startsWith("/") === true ? xdgFolder : join(home || homedir(), ".config");
  const folder = platform === "win32" && appData ? appData : configFolder;
  return join(folder, "reports", "profiles.json");
}

/** Reads all profiles. Throws a CommandError if other users can read the file, or if its content is wrong. */
export function readProfiles(path: string): Profiles {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return new Map();
  // Windows has no such modes, and the user's folder is private there.
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0)
    throw usageError(`Other users can read the tokens in ${toSafeText(path)}. Run: chmod 600 ${toSafeText(path)}`);
  try {
    const { profiles } = JSON.parse(readFileSync(path, "utf8")) as { readonly profiles: unknown };
    return checkProfiles(profiles);
  } catch (error) {
    if (error instanceof Error && "code" in error) throw usageError(`The profiles cannot be read: ${error.message}`);
    throw usageError(`${toSafeText(path)} does not hold profiles. Remove it, then sign in again: reports login`);
  }
}

/** Replaces the file by renaming, so that a reader sees either the old or the new content. */
export function writeProfiles(path: string, profiles: Profiles): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: folderMode });
  } catch (error) {
    throw notSaved(error);
  }
  const part = `${path}.${randomUUID()}`;
  try {
    writeFileSync(part, `${JSON.stringify({ profiles: Object.fromEntries(profiles) }, null, 2)}\n`, {
      mode: fileMode,
      flag: "wx",
    });
    // The umask may have removed rights of the new file.
    chmodSync(part, fileMode);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw notSaved(error);
  }
}

function notSaved(error: unknown): CommandError {
  return new CommandError("failed", `The profile cannot be saved: ${(error as Error).message}`);
}

function checkProfiles(profiles: unknown): Profiles {
  const entries = Object.entries(profiles as object) as [string, Partial<Profile>][];
  return new Map(
    entries.map(([name, { url, token }]) => {
      if (typeof url !== "string" || typeof token !== "string") throw new TypeError("A profile has a url and a token.");
      return [name, { url, token }] as const;
    }),
  );
}

export function requireProfileNameOrThrow(name: string): string {
  if (/^[a-z0-9][\w.-]{0,63}$/i.test(name)) return name;
  throw usageError("The name of a profile is letters, digits, dots, hyphens and underscores, at most 64.");
}
