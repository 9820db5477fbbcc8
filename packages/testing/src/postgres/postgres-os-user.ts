import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

export interface PostgresOsUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Returns the user that must run Postgres; null for the current user. Postgres refuses root, so root starts it as `postgres` or `nobody`. */
export function findPostgresOsUser(): PostgresOsUser | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ["postgres", "nobody"]) {
    const user = lookUpUser(name);
    if (user !== null) return user;
  }
  throw new Error(
    "Postgres does not run as root, and there is no user postgres or nobody. Create one (useradd --system postgres), or start as another user.",
  );
}

export function toSpawnOptions(user: PostgresOsUser | null): { uid?: number; gid?: number } {
  return user === null ? {} : { uid: user.uid, gid: user.gid };
}

function lookUpUser(name: string): PostgresOsUser | null {
  return lookUpInPasswd(name) ?? lookUpWithId(name);
}

function lookUpInPasswd(name: string): PostgresOsUser | null {
  try {
    const line = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .find((candidate) => candidate.startsWith(`${name}:`));
    const [, , uid, gid] = line?.split(":") ?? [];
    return uid === undefined || gid === undefined ? null : { name, uid: Number(uid), gid: Number(gid) };
  } catch {
    return null;
  }
}

/** Runs `id`, which also finds users of a directory service. */
function lookUpWithId(name: string): PostgresOsUser | null {
  try {
    const number = (flag: string) =>
      Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
    return { name, uid: number("-u"), gid: number("-g") };
  } catch {
    return null;
  }
}

export function isReachableByEveryUser(path: string): boolean {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
