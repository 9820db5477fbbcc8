/** Returns the first item (undefined if there is none), whether it is the only one, and an iterable of all items. It reads at most two items ahead. */
export async function peekFirst<Item>(items: AsyncIterable<Item>): Promise<{
  readonly first: Item | undefined;
  readonly isOnly: boolean;
  readonly all: AsyncIterable<Item>;
}> {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  const second = first.done === true ? first : await iterator.next();
  return {
    first: first.done === true ? undefined : first.value,
    isOnly: second.done === true,
    all: replay([first, second], iterator),
  };
}

async function* replay<Item>(read: readonly IteratorResult<Item>[], rest: AsyncIterator<Item>): AsyncGenerator<Item> {
  try {
    for (const item of read) {
      if (item.done === true) return;
      yield item.value;
    }
    for (let item = await rest.next(); item.done !== true; item = await rest.next()) yield item.value;
  } finally {
    await rest.return?.();
  }
}
