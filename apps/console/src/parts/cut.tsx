import { directionOf } from "./direction.ts";

/** So much of the end stays in sight: what tells long names apart often stands there. */
const endLength = 14;

/** A long name on one line, cut in its middle where there is no room; whole where it is pointed at or has the focus. */
export function Cut({ text }: { readonly text: string }) {
  const characters = [...text];
  const at = Math.max(0, characters.length - endLength);
  return (
    <bdi class="cut" title={text} dir={directionOf(text)}>
      <span>{characters.slice(0, at).join("")}</span>
      <span>{characters.slice(at).join("")}</span>
    </bdi>
  );
}
