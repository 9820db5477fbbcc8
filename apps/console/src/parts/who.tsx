import { nameOf } from "./text.ts";

/** The name of a principal; under the pointer its whole ID. */
export function Who({ id }: { readonly id: string }) {
  return <bdi title={id}>{nameOf(id)}</bdi>;
}
