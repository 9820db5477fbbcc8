/** Returns the keys of an object in order, typed as the non-empty list that `z.enum` needs. */
export function keysOf<Key extends string>(object: Readonly<Record<Key, unknown>>): readonly [Key, ...Key[]] {
  return Object.keys(object) as unknown as readonly [Key, ...Key[]];
}
