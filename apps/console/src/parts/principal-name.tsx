import { principalName } from "./text.ts";

/** The name of a principal; under the pointer its whole ID. */
export function PrincipalName({ id }: { readonly id: string }) {
  return <bdi title={id}>{principalName(id)}</bdi>;
}
