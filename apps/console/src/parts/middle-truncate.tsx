import { directionOf } from "./direction.ts";

/** The number of characters at the end that stay visible, because long names often differ only there. */
const visibleEndLength = 14;

/** A name on one line. The middle of a name that is too long is hidden until the name has the pointer or the focus. */
export function MiddleTruncate({ text }: { readonly text: string }) {
  const characters = [...text];
  const at = Math.max(0, characters.length - visibleEndLength);
  return (
    <bdi class="truncated" title={text} dir={directionOf(text)}>
      <span>{characters.slice(0, at).join("")}</span>
      <span>{characters.slice(at).join("")}</span>
    </bdi>
  );
}
