import { createObservableValue } from "./observable-value.ts";

/** The current route. It is in the URL fragment, which browsers do not send to servers, so its values appear in no access log. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export const route = createObservableValue(parseRoute(location.hash));

addEventListener("hashchange", () => (route.value = parseRoute(location.hash)));

/** Builds the URL fragment of a route. Omits parameters with an empty value. */
export function buildHref(path: string, query: Readonly<Record<string, string | readonly string[]>> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return buildFragment(path, new URLSearchParams(pairs.filter(([, value]) => value !== "")));
}

export function navigate(href: string): void {
  location.hash = href;
}

/** Replaces the query and the fragment of the current URL and adds no history entry. */
export function replaceRoute(fragment: string): void {
  history.replaceState(null, "", `${location.pathname}${fragment}`);
  route.value = parseRoute(fragment);
}

/** Changes parameters of the route and adds no history entry. An empty list removes a parameter. */
export function changeRouteQuery(changes: Readonly<Record<string, readonly string[]>>): void {
  const { path, query } = route.value;
  const changed = new URLSearchParams([...query].filter(([name]) => !Object.hasOwn(changes, name)));
  for (const [name, values] of Object.entries(changes)) for (const value of values) changed.append(name, value);
  const fragment = buildFragment(path.map(encodeURIComponent).join("/"), changed);
  history.replaceState(null, "", fragment);
  route.value = parseRoute(fragment);
}

function buildFragment(path: string, query: URLSearchParams): string {
  return `#/${path}${query.size === 0 ? "" : `?${query.toString()}`}`;
}

function parseRoute(fragment: string): Route {
  const [path = "", ...query] = fragment.replace(/^#\/?/, "").split("?");
  return {
    path: path
      .split("/")
      .filter((part) => part !== "")
      .map(decodeSegment),
    query: new URLSearchParams(query.join("?")),
  };
}

function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
