import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pageStyle } from "./page-style.ts";

function luminanceOf(colour: string): number {
  const digits = colour.length === 4 ? colour.slice(1).replace(/./g, "$&$&") : colour.slice(1);
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the custom properties of a style sheet: those of the light colour scheme first, those of the dark one second. */
function schemesOf(style: string): readonly ReadonlyMap<string, string>[] {
  return [...style.matchAll(/:root \{([^}]*--ground[^}]*)\}/g)].map(
    ([, rules]) => new Map([...rules!.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name, value]) => [name!, value!])),
  );
}

test("text of the API's pages has a contrast of at least 4.5 in light and dark mode", () => {
  const schemes = schemesOf(pageStyle);
  expect(schemes).toHaveLength(2);
  for (const colours of schemes) {
    for (const text of ["ink", "muted", "accent", "good", "bad"]) {
      for (const ground of ["ground", "raised"]) {
        expect([text, ground, contrastOf(colours.get(text)!, colours.get(ground)!)]).toEqual([
          text,
          ground,
          expect.toSatisfy((contrast: number) => contrast >= 4.5),
        ]);
      }
    }
  }
});

test("colours and sizes of the API's pages equal those of the console in both modes", () => {
  const tokens = readFileSync(join(import.meta.dirname, "../../console/src/style/tokens.css"), "utf8");
  const ofConsole = schemesOf(tokens);
  expect(ofConsole).toHaveLength(2);
  for (const [index, ours] of schemesOf(pageStyle).entries())
    expect(Object.fromEntries(ofConsole[index]!)).toMatchObject(Object.fromEntries(ours));
});
