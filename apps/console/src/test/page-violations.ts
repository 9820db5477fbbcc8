import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createTestCaseDivider, isFullTestRun } from "@reports/testing";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The axe rules about colours. They take three times as long as all other rules together. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** Colour scheme and window width in px per variant. Outside CI, each call checks another variant. */
const displayVariants = [
  ["light", 1400],
  ["dark", 1400],
  ["dark", 360],
  ["light", 360],
] as const;

const selectVariants = createTestCaseDivider();

export async function findAccessibilityViolations(page: Page): Promise<readonly string[]> {
  // Axe has half a megabyte, so the page loads it only once per document.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe);
  const { width: before, height } = page.viewportSize()!;
  const violations: string[] = [];
  for (const [colorScheme, width] of selectVariants(displayVariants, displayVariants.length)) {
    // With reduced motion, the page has no transitions, so axe sees the final colours.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height });
    const found = await page.evaluate<PageViolations>(createAxeScript(selectRules(colorScheme, width)));
    const where = `${new URL(page.url()).hash}, ${colorScheme}, ${width} px:`;
    violations.push(...found.violations.map((violation) => `${where} ${violation}`));
    if (found.isTooWide) violations.push(`${where} wider than the window`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize({ width: before, height });
  return violations;
}

/**
 * Returns the option of axe that selects rules. In CI, dark variants have only the rules about colours, because tokens.css changes only colours for
 * the dark scheme. Elsewhere, only wide variants have the rules about colours, because pages have the same colours in each width.
 */
function selectRules(colorScheme: "light" | "dark", width: number): object {
  if (isFullTestRun) return colorScheme === "dark" ? { runOnly: { type: "rule", values: colourRules } } : {};
  return width < 1400 ? { rules: Object.fromEntries(colourRules.map((rule) => [rule, { enabled: false }])) } : {};
}

interface PageViolations {
  readonly violations: readonly string[];
  readonly isTooWide: boolean;
}

const createAxeScript = (
  rules: object,
): string => `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], preload: false, ...rules })})
  .then(({ violations }) => ({
    violations: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ": " + html + " " + failureSummary),
    ),
    isTooWide: document.documentElement.scrollWidth > innerWidth,
  }))`;
