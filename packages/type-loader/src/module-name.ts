import { isBuiltin } from "node:module";

/** Possible values of REPORT_TYPES, for messages. */
export const moduleNameRule =
  "the name of an installed package, such as acme-reports, @acme/reports or acme-reports/billing: no path, no URL, no module of Node";

const segmentPattern = /^[A-Za-z0-9_-][A-Za-z0-9._~-]*$/;

/** Whether the text names a package, or its subpath. A path or an address would load what nobody has installed. */
export function isModuleName(text: string): boolean {
  const segments = text.split("/");
  const isScoped = text.startsWith("@") && segments.length > 1;
  return (
    text.length <= 214 &&
    segments.every((segment, index) => segmentPattern.test(isScoped && index === 0 ? segment.slice(1) : segment)) &&
    !isBuiltin(text)
  );
}
