import { toAlignedBytes, type AlignedBytes } from "../../wire/byte-buffer.ts";
import { cellStyleIndexes } from "./cell-style-indexes.ts";
import { escapeXstring } from "./escape-xstring.ts";

// XML that follows the position of a cell. An empty text is an `inlineStr`, because readers ignore an empty `str`.
export const emptyTextCell = toAlignedBytes('" t="inlineStr"><is><t></t></is></c>');
// `str` means the same as `inlineStr` in 17 fewer bytes, which saves deflating, the slowest step.
export const leftToRightTextStart = toAlignedBytes(
  `" s="${cellStyleIndexes.textFromLeft}" t="str"><v xml:space="preserve">`,
);
export const leftToRightInlineStart = toAlignedBytes(
  `" s="${cellStyleIndexes.textFromLeft}" t="inlineStr"><is><t xml:space="preserve">`,
);
export const inlineTextCellEnd = toAlignedBytes("</t></is></c>");

export interface TextCellStarts {
  readonly plain: AlignedBytes;
  readonly spaced: AlignedBytes;
  readonly inline: AlignedBytes;
}

/** Returns the XML before the text of a cell. LibreOffice decodes escaped control characters only in `inlineStr`. */
export function createTextCellStarts(style: number): TextCellStarts {
  return {
    plain: toAlignedBytes(`" s="${style}" t="str"><v>`),
    spaced: toAlignedBytes(`" s="${style}" t="str"><v xml:space="preserve">`),
    inline: toAlignedBytes(`" s="${style}" t="inlineStr"><is><t xml:space="preserve">`),
  };
}

export function toTextCellBytes(text: string, style: number = cellStyleIndexes.text): AlignedBytes {
  return toAlignedBytes(`" s="${style}" t="str"><v>${escapeXstring(text)}</v></c>`);
}
