import { directionOf } from "./direction.ts";

/** The number of characters at the end that stay visible, because long names often differ only there. */
const visibleEndLength = 14;

/** A name on one line. If it is too long, its middle is cut off; with the pointer or the focus it is shown whole. */
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
