const keyPartPattern = /^[A-Za-z0-9._-]{1,200}$/;
const prefixEndPattern = /^[A-Za-z0-9._-]{0,200}$/;
const maxKeyLength = 512;

/** Throws RangeError unless a key is relative parts of `[A-Za-z0-9._-]`, separated by `/`, none of them `.` or `..`. */
export function assertStorageKey(key: string): void {
  if (key.length > maxKeyLength || !key.split("/").every(isKeyPart)) {
    throw new RangeError(`${JSON.stringify(key)} is not a key: it must be parts of A-Z a-z 0-9 . _ - joined by "/".`);
  }
}

/** Throws RangeError unless a key can begin with the prefix. The empty prefix matches every key. */
export function assertKeyPrefix(prefix: string): void {
  const parts = prefix.split("/");
  const end = parts.pop() ?? "";
  if (prefix.length > maxKeyLength || !parts.every(isKeyPart) || !prefixEndPattern.test(end)) {
    throw new RangeError(
      `${JSON.stringify(prefix)} cannot begin a key: it must be parts of A-Z a-z 0-9 . _ - joined by "/".`,
    );
  }
}

export function isKeyPart(text: string): boolean {
  return keyPartPattern.test(text) && text !== "." && text !== "..";
}
