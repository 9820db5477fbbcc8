import { formatPrincipalName } from "./text.ts";

export function PrincipalName({ id }: { readonly id: string }) {
  return <bdi title={id}>{formatPrincipalName(id)}</bdi>;
}
