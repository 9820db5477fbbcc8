import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createTestCaseDivider } from "@reports/testing";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The axe rules about colours. tokens.css changes only colours for the dark scheme, so after the light scheme, other rules find nothing new. */
const colourRules = { type: "rule", values: ["color-contrast", "link-in-text-block"] } as const;

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
  const variants = selectVariants(displayVariants, displayVariants.length);
  const isLightToo = variants.some(([colorScheme]) => colorScheme === "light");
  for (const [colorScheme, width] of variants) {
    // With reduced motion, the page has no transitions, so axe sees the final colours.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height });
    const found = await page.evaluate<PageViolations>(
      createAxeScript(colorScheme === "dark" && isLightToo ? { runOnly: colourRules } : {}),
    );
    const where = `${new URL(page.url()).hash}, ${colorScheme}, ${width} px:`;
    violations.push(...found.violations.map((violation) => `${where} ${violation}`));
    if (found.isTooWide) violations.push(`${where} wider than the window`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize({ width: before, height });
  return violations;
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
