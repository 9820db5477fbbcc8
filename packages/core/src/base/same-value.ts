type Fields = Readonly<Record<string, unknown>>;

/** Reports whether two JSON values or Dates are equal. Ignores the order of keys, because Postgres's jsonb does not keep it. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isDeepEqual(one[key], other[key]))
  );
}

/** Returns the names of the written fields that differ from those of `stored`. Ignores written fields that `stored` lacks. */
export function findChangedFields(stored: object, written: object): readonly string[] {
  const [before, after] = [stored as Fields, written as Fields];
  return Object.keys(after).filter((name) => Object.hasOwn(before, name) && !isDeepEqual(after[name], before[name]));
}

/** Reports whether the written fields leave every field of `stored` as it is. Ignores written fields that `stored` lacks. */
export function isUnchangedBy(stored: object, written: object): boolean {
  return findChangedFields(stored, written).length === 0;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}
