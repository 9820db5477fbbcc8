const part = /^[A-Za-z0-9._-]{1,200}$/;
const prefixEnd = /^[A-Za-z0-9._-]{0,200}$/;
const maxKeyLength = 512;

/** Rejects a key that is not relative, `/`-separated parts of `[A-Za-z0-9._-]`, none of them `.` or `..`. Throws RangeError. */
export function assertKey(key: string): void {
  if (key.length > maxKeyLength || !key.split("/").every(isPart)) {
    throw new RangeError(`${JSON.stringify(key)} is not a key: it must be parts of A-Z a-z 0-9 . _ - joined by "/".`);
  }
}

/** Rejects what cannot begin a key; the empty prefix is every key. Throws RangeError. */
export function assertPrefix(prefix: string): void {
  const parts = prefix.split("/");
  const end = parts.pop() ?? "";
  if (prefix.length > maxKeyLength || !parts.every(isPart) || !prefixEnd.test(end)) {
    throw new RangeError(
      `${JSON.stringify(prefix)} cannot begin a key: it must be parts of A-Z a-z 0-9 . _ - joined by "/".`,
    );
  }
}

/** Whether a key may have such a part. */
export function isPart(text: string): boolean {
  return part.test(text) && text !== "." && text !== "..";
}
