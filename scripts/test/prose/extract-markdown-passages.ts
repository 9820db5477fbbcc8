import type { ProsePassage } from "./find-prose-faults.ts";

const examplesPattern = /^\| (?:before|not this)\b/;

export function extractMarkdownPassages(file: string, page: string): ProsePassage[] {
  const passages: ProsePassage[] = [];
  let open: { line: number; text: string } | undefined;
  let fence: string | undefined;
  let isExample = false;
  const close = () => {
    if (open !== undefined) passages.push({ file, ...open });
    open = undefined;
  };
  for (const [index, line] of withoutComments(page).split("\n").entries()) {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== undefined) {
      close();
      fence = fence === undefined ? mark : line.trim() === fence ? undefined : fence;
    } else if (fence === undefined) {
      const isRow = line.startsWith("|");
      isExample &&= isRow;
      if (isRow) {
        close();
        isExample ||= examplesPattern.test(line);
        if (!isExample) passages.push(...cellsOf(line).map((text) => ({ file, line: index + 1, text })));
      } else if (line.trim() === "") {
        close();
      } else {
        if (/^\s*(?:[-*+>]|\d+\.|#+) /.test(line)) close();
        const text = proseOf(line.replace(/^\s*(?:(?:[-*+>]|\d+\.|#+) +)*/, ""));
        open = open === undefined ? { line: index + 1, text } : { ...open, text: `${open.text} ${text}` };
      }
    }
  }
  close();
  return passages;
}

function cellsOf(row: string): string[] {
  const cells = withoutCode(row).split(/(?<!\\)\||<br ?\/?>/);
  return cells.map((cell) => proseOf(cell).trim()).filter((cell) => cell !== "" && !/^:?-+:?$/.test(cell));
}

/** Replaces each inline code by one word, so that a sentence with code keeps its length. */
function withoutCode(line: string): string {
  return line.replaceAll(/(`+)[^`].*?\1/g, "`x`");
}

function proseOf(line: string): string {
  return withoutCode(line)
    .replaceAll(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replaceAll(/<\/?\w+[^>]*>/g, "")
    .replaceAll(/\*\*|(?<!\w)_|_(?!\w)/g, "");
}

function withoutComments(page: string): string {
  return page.replaceAll(/<!--[^]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, ""));
}
