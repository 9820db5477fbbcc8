import { isBuiltin } from "node:module";

export const moduleNameRule =
  "the name of an installed package, such as acme-reports, @acme/reports or acme-reports/billing: no path, no URL, no module of Node";

const segmentPattern = /^[A-Za-z0-9_-][A-Za-z0-9._~-]*$/;

/** Reports whether the text names a package or a subpath of one. Paths and URLs are refused, because they could load code that was not installed. */
export function isModuleName(text: string): boolean {
  const segments = text.split("/");
  const isScoped = text.startsWith("@") && segments.length > 1;
  return (
    text.length <= 214 &&
    segments.every((segment, index) => segmentPattern.test(isScoped && index === 0 ? segment.slice(1) : segment)) &&
    !isBuiltin(text)
  );
}
