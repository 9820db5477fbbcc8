import { expect, test } from "vitest";
import { resolveIdEnding } from "./find-id.ts";

const items = [
  { id: "01a21920-6285-73c9-852d-70307ca5b472" },
  { id: "01a21920-6ac1-71a6-b05d-40198f648c7a" },
  { id: "01a21920-6e55-758c-b237-4b014d7ca5b4" },
  { id: "01a21920-742e-70fd-a53c-263f4d7ca5b4" },
];

async function find(given: string, newest: readonly { readonly id: string }[] = items): Promise<string> {
  return resolveIdEnding(given, "reports", newest, () => "PROXY\u202e");
}

test("a record is found by at least the last eight characters of its ID", async () => {
  expect(await find("7ca5b472")).toBe(items[0]!.id);
  expect(await find("8F648C7A")).toBe(items[1]!.id);
  expect(await find("b237-4b014d7ca5b4")).toBe(items[2]!.id);
});

test.each(["01a21920-6285-73c9-852d-70307ca5b472", "a5b472", "no-such-id", "../etc", ""])(
  "%j, which is not the end of an ID, is sent to the service unchanged",
  async (given) => expect(await find(given)).toBe(given),
);

test("if several IDs have the given end, the error lists them", async () => {
  await expect(find("4d7ca5b4")).rejects.toMatchObject({
    exitCode: 2,
    message:
      "The ids of 2 reports end with 4d7ca5b4. Give more characters, or the whole id:\n" +
      `  ${items[2]!.id}  PROXY\\u{202e}\n  ${items[3]!.id}  PROXY\\u{202e}`,
  });
});

test("the end of an ID is searched only among the newest 200 records", async () => {
  const others = Array.from({ length: 200 }, () => ({ id: "01a21920-0000-7000-8000-000000000000" }));
  await expect(find("7ca5b472", [...others, ...items])).rejects.toMatchObject({
    exitCode: 4,
    message: "No id of the newest 200 reports ends with 7ca5b472. Give the whole id.",
  });
});
