import { principalName } from "./text.ts";

export function PrincipalName({ id }: { readonly id: string }) {
  return <bdi title={id}>{principalName(id)}</bdi>;
}
