export async function* readKeyPages(
  size: number,
  read: (after: string | null) => Promise<readonly string[]>,
): AsyncGenerator<readonly string[]> {
  for (let keys = await read(null); keys.length > 0; keys = keys.length < size ? [] : await read(keys.at(-1)!))
    yield keys;
}
