import { toDirAttribute } from "./direction.ts";

/** The number of characters at the end that stay visible, because long names often differ only there. */
const visibleEndLength = 14;

export function MiddleTruncate({ text }: { readonly text: string }) {
  const characters = [...text];
  const at = Math.max(0, characters.length - visibleEndLength);
  return (
    <bdi class="truncated" title={text} dir={toDirAttribute(text)}>
      <span>{characters.slice(0, at).join("")}</span>
      <span>{characters.slice(at).join("")}</span>
    </bdi>
  );
}
