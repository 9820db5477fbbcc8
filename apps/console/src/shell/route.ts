import { signal } from "@preact/signals";

/** The current route. It is in the URL fragment, which no server sees or logs, so every view has a link. */
export interface Route {
  /** The decoded segments of the path: `#/reports/ID` has two. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export const route = signal(routeOf(location.hash));

addEventListener("hashchange", () => (route.value = routeOf(location.hash)));

/** Builds the link to a route. Omits parameters with an empty value. */
export function hrefOf(path: string, query: Readonly<Record<string, string | readonly string[]>> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return fragmentOf(path, new URLSearchParams(pairs.filter(([, value]) => value !== "")));
}

export function navigate(href: string): void {
  location.hash = href;
}

/** Replaces the query and the fragment of the current URL without a new history entry. */
export function replaceRoute(fragment: string): void {
  history.replaceState(null, "", `${location.pathname}${fragment}`);
  route.value = routeOf(fragment);
}

/** Changes parameters of the route without a new history entry. An empty list removes a parameter. */
export function changeQuery(changes: Readonly<Record<string, readonly string[]>>): void {
  const { path, query } = route.peek();
  const changed = new URLSearchParams([...query].filter(([name]) => !Object.hasOwn(changes, name)));
  for (const [name, values] of Object.entries(changes)) for (const value of values) changed.append(name, value);
  const fragment = fragmentOf(path.map(encodeURIComponent).join("/"), changed);
  history.replaceState(null, "", fragment);
  route.value = routeOf(fragment);
}

function fragmentOf(path: string, query: URLSearchParams): string {
  return `#/${path}${query.size === 0 ? "" : `?${query.toString()}`}`;
}

function routeOf(fragment: string): Route {
  const [path = "", ...query] = fragment.replace(/^#\/?/, "").split("?");
  return {
    path: path
      .split("/")
      .filter((part) => part !== "")
      .map(decoded),
    query: new URLSearchParams(query.join("?")),
  };
}

/** Decodes a segment, or returns it unchanged if it is not valid percent-encoding. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
