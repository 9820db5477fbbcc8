import { principalName } from "./text.ts";

/** The short name of a principal. Its tooltip is the whole ID. */
export function PrincipalName({ id }: { readonly id: string }) {
  return <bdi title={id}>{principalName(id)}</bdi>;
}
