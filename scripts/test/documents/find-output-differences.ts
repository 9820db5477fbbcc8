import { isDeepStrictEqual } from "node:util";

const placeholder = "…";

export function findOutputDifferences(language: string, expected: string, actual: string): readonly string[] {
  const text = actual.replaceAll(/\uFEFF|\r(?=\n)/g, "");
  if (language === "json") return compareJson(expected, text);
  return language === "http" ? compareResponse(expected, text) : compareText(expected, text);
}

/** Compares status line, headers and body of a response. Headers that the page does not show are ignored. */
function compareResponse(expected: string, actual: string): readonly string[] {
  const [expectedHead = "", expectedBody = ""] = splitResponse(expected);
  const [head = "", body = ""] = splitResponse(actual);
  const [status = "", ...headers] = expectedHead.trim().split("\n");
  const [actualStatus = "", ...actualHeaders] = head.trim().split("\n");
  const missing = headers.filter((header) => !actualHeaders.some((one) => matches(header, one, "i")));
  return [
    ...compareText(status, actualStatus),
    ...missing.map((header) => `Expected the header ${header}, received:\n${head}`),
    ...(/^[{[]/.test(expectedBody) ? compareJson(expectedBody, body) : compareText(expectedBody, body)),
  ];
}

function splitResponse(response: string): readonly string[] {
  const end = response.indexOf("\n\n");
  return end === -1 ? [response] : [response.slice(0, end), response.slice(end + 2)];
}

function compareJson(expected: string, actual: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(actual);
  } catch {
    return [`Expected JSON, received:\n${actual}`];
  }
  const differences = compareValues("", JSON.parse(expected), value);
  return differences.length === 0 ? [] : [...differences, `Received:\n${JSON.stringify(value, null, 2)}`];
}

function compareValues(path: string, expected: unknown, actual: unknown): readonly string[] {
  if (expected === placeholder) return actual === undefined ? [`${path} is missing.`] : [];
  if (typeof expected === "string" && typeof actual === "string" && matches(expected, actual)) return [];
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const isOpen = expected.at(-1) === placeholder;
    const items: readonly unknown[] = isOpen ? expected.slice(0, -1) : expected;
    const rest = isOpen || items.length === actual.length ? [] : [`${path} has ${actual.length} elements.`];
    return [...rest, ...items.flatMap((item, index) => compareValues(`${path}/${index}`, item, actual[index]))];
  }
  if (isObject(expected) && isObject(actual)) {
    const { [placeholder]: others, ...fields } = expected;
    const unknown = others === undefined ? Object.keys(actual).filter((name) => !(name in fields)) : [];
    return [
      ...unknown.map((name) => `${path}/${name} is not on the page.`),
      ...Object.entries(fields).flatMap(([name, field]) => compareValues(`${path}/${name}`, field, actual[name])),
    ];
  }
  if (isDeepStrictEqual(expected, actual)) return [];
  return [`${path}: expected ${JSON.stringify(expected)}, received ${JSON.stringify(actual)}.`];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function compareText(expected: string, actual: string): readonly string[] {
  const pattern = expected
    .trim()
    .split("\n")
    .map((line) => (line.trim() === placeholder ? "[^]*" : patternOf(line.trimEnd())))
    .join("\n")
    .replaceAll("\n[^]*", "[^]*")
    .replaceAll("[^]*\n", "[^]*");
  const text = actual.trim().replaceAll(/[ \t]+$/gm, "");
  return new RegExp(`^${pattern}$`).test(text) ? [] : [`Expected:\n${expected.trim()}\nReceived:\n${text}`];
}

function matches(expected: string, actual: string, flags?: "i"): boolean {
  return new RegExp(`^${patternOf(expected)}$`, flags).test(actual);
}

function patternOf(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll(placeholder, ".*");
}
