/** Returns the keys in order, as a list for `z.enum` and columns. */
export function keysOf<Key extends string>(object: Readonly<Record<Key, unknown>>): readonly [Key, ...Key[]] {
  return Object.keys(object) as unknown as readonly [Key, ...Key[]];
}
