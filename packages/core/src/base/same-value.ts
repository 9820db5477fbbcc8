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

/** Reports whether the written fields leave every field of `stored` as it is. Ignores written fields that `stored` lacks. */
export function isUnchangedBy(stored: object, written: object): boolean {
  const before = stored as Fields;
  return Object.entries(written).every(
    ([field, value]) => !Object.hasOwn(before, field) || isDeepEqual(value, before[field]),
  );
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}
