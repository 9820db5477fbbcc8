import { expect, test } from "vitest";
import { formatTextList } from "./text-list.ts";

test.each([[[]], [["a"]], [["a", "b"]], [["a, b", "c", "d and e"]]])(
  "the list of %j is that of Intl.ListFormat",
  (texts) => {
    expect(formatTextList(texts)).toBe(new Intl.ListFormat("en-GB").format(texts));
    expect(formatTextList(texts, "or")).toBe(new Intl.ListFormat("en-GB", { type: "disjunction" }).format(texts));
  },
);
