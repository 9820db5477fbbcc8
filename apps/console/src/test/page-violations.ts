import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createCaseDivider } from "@reports/testing";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Axe's rules about colours. The dark scheme only changes colours (tokens.css), so other rules would find the same again. */
const colourRules = { type: "rule", values: ["color-contrast", "link-in-text-block"] } as const;

/**
 * Colour scheme and width of each check: a desk and a telephone. In this order, one of them changes at a time. Each half has both colours and
 * both widths.
 */
const variants = [
  ["light", 1400],
  ["dark", 1400],
  ["dark", 360],
  ["light", 360],
] as const;

const nextCases = createCaseDivider();

/** Returns, for every variant or half of them, the violations that axe finds and whether the page is wider than the window. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // It has half a megabyte, so each document loads it once.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe);
  const { width: before, height } = page.viewportSize()!;
  const violations: string[] = [];
  for (const [colorScheme, width] of nextCases(variants, 2)) {
    // Without transitions, the colours of the scheme apply immediately.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height });
    const found = await page.evaluate<Found>(axeScript(colorScheme === "dark" ? { runOnly: colourRules } : {}));
    const where = `${new URL(page.url()).hash}, ${colorScheme}, ${width} px:`;
    violations.push(...found.violations.map((violation) => `${where} ${violation}`));
    if (found.isTooWide) violations.push(`${where} wider than the window`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize({ width: before, height });
  return violations;
}

interface Found {
  readonly violations: readonly string[];
  readonly isTooWide: boolean;
}

/** Runs in the page. */
const axeScript = (
  rules: object,
): string => `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], preload: false, ...rules })})
  .then(({ violations }) => ({
    violations: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ": " + html + " " + failureSummary),
    ),
    isTooWide: document.documentElement.scrollWidth > innerWidth,
  }))`;
