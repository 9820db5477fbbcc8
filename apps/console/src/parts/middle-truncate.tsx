import { directionOf } from "./direction.ts";

/** These last characters stay visible: long names often differ only there. */
const endLength = 14;

/** A long name on one line, with its middle cut off; whole under the pointer and with the focus. */
export function MiddleTruncate({ text }: { readonly text: string }) {
  const characters = [...text];
  const at = Math.max(0, characters.length - endLength);
  return (
    <bdi class="truncated" title={text} dir={directionOf(text)}>
      <span>{characters.slice(0, at).join("")}</span>
      <span>{characters.slice(at).join("")}</span>
    </bdi>
  );
}
