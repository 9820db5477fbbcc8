import { signal } from "@preact/signals";

/** Where somebody is. It stands in the fragment, which no server sees or logs, so that every view is a link. */
export interface Place {
  /** Decoded parts of the path: `#/reports/ID` has two. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** Where the console is now. */
export const place = signal(placeOf(location.hash));

addEventListener("hashchange", () => (place.value = placeOf(location.hash)));

/** The fragment of a place, for links. Parameters that are empty are left out. */
export function hrefOf(path: string, query: Readonly<Record<string, string | readonly string[]>> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return fragmentOf(path, new URLSearchParams(pairs.filter(([, value]) => value !== "")));
}

/** Goes to another page. */
export function go(href: string): void {
  location.hash = href;
}

/** Shows a place instead of the address that somebody came by, its query and its fragment. */
export function settleAt(fragment: string): void {
  history.replaceState(null, "", `${location.pathname}${fragment}`);
  place.value = placeOf(fragment);
}

/** Changes parameters of this place without a new entry in the history. An empty list takes a parameter away. */
export function changeQuery(changes: Readonly<Record<string, readonly string[]>>): void {
  const { path, query } = place.peek();
  const changed = new URLSearchParams([...query].filter(([name]) => !Object.hasOwn(changes, name)));
  for (const [name, values] of Object.entries(changes)) for (const value of values) changed.append(name, value);
  const fragment = fragmentOf(path.map(encodeURIComponent).join("/"), changed);
  history.replaceState(null, "", fragment);
  place.value = placeOf(fragment);
}

function fragmentOf(path: string, query: URLSearchParams): string {
  return `#/${path}${query.size === 0 ? "" : `?${query.toString()}`}`;
}

function placeOf(fragment: string): Place {
  const [path = "", ...query] = fragment.replace(/^#\/?/, "").split("?");
  return {
    path: path
      .split("/")
      .filter((part) => part !== "")
      .map(decoded),
    query: new URLSearchParams(query.join("?")),
  };
}

/** A link that was mangled on its way leads nowhere, and breaks nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
