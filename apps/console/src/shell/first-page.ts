import type { List, Page } from "@reports/client";

export async function readFirstPage<Item>(list: List<Item>): Promise<Page<Item>> {
  for await (const page of list.pages()) return page;
  throw new Error("A list has a first page.");
}
