import { nameOf } from "./text.ts";

/** A principal by name; the whole of it where that is pointed at. */
export function Who({ id }: { readonly id: string }) {
  return <bdi title={id}>{nameOf(id)}</bdi>;
}
