export interface PageStep {
  readonly line: number;
  /**
   * Commands for bash. If the page shows a program instead, the command that writes its file. For a step of a named runner that is not `sh`, the text
   * of the block, which only that runner can use.
   */
  readonly commands: string;
  readonly needs?: string;
  /** The runner that the page names for this step. */
  readonly runner?: string;
  readonly output?: { readonly line: number; readonly language: string; readonly text: string };
}

const outputLanguages = new Set(["json", "http", "text", "csv"]);
/** Languages of the programs that a step writes to a file. */
export const programLanguages: ReadonlySet<string> = new Set(["ts", "js", "python"]);
const blockPattern =
  /^(?:<!-- (?:run by: (?<runner>.+)|needs: (?<needs>\S+)) -->\n+)?(?<indent> *)```(?<language>\w+)\n(?<code>[^]*?)^ *```$/gm;

export interface CodeBlock {
  readonly line: number;
  readonly language: string;
  readonly code: string;
  readonly before: string;
  readonly runner: string | undefined;
  readonly needs: string | undefined;
}

export function parseCodeBlocks(markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(blockPattern)].map(({ 0: whole, index, groups = {} }) => {
    const { runner, needs, language = "", indent = "" } = groups;
    const before = markdown.slice(0, index);
    const line = (before + whole.slice(0, whole.indexOf("```"))).split("\n").length;
    const code = groups["code"]!.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    return { line, language, code, before, runner, needs };
  });
}

/** Returns the name of the file for a program: the last one in the line above the block. */
export function parseProgramFile({ before }: CodeBlock): string | undefined {
  return /`([\w.-]+\.\w+)`[^`\n]*\n\n$/.exec(before)?.[1];
}

/**
 * Returns the steps of a page. A `sh` block is a step, and a block of output after it is its expected output. A program block is a step that writes
 * the program to the file that the text above it names last. A block below the comment `<!-- run by: runner -->`, in any language, is a step of
 * that runner only, and other blocks are steps of the runner `undefined`. Below `<!-- needs: program -->`, both are left out if that program is
 * missing. Throws an Error if a block is none of these.
 */
export function parsePageSteps(
  markdown: string,
  runners: readonly (string | undefined)[] = [undefined],
): readonly PageStep[] {
  const steps: PageStep[] = [];
  let last: PageStep | "ignored" | undefined;
  for (const block of parseCodeBlocks(markdown)) {
    const { line, language, code, needs, runner } = block;
    if (outputLanguages.has(language)) {
      if (last === undefined) throw new Error(`Line ${line}: no commands are above this ${language} block.`);
      if (typeof last === "object") steps[steps.length - 1] = { ...last, output: { line, language, text: code } };
      last = undefined;
    } else if (!runners.includes(runner)) last = "ignored";
    else if (language === "sh" || runner !== undefined) {
      last = { line, commands: code, ...(needs !== undefined && { needs }), ...(runner !== undefined && { runner }) };
      steps.push(last);
    } else if (programLanguages.has(language)) {
      const file = parseProgramFile(block);
      if (file === undefined) throw new Error(`Line ${line}: the text above this ${language} block names no file.`);
      steps.push({ line, commands: `cat >'${file}' <<'END OF FILE'\n${code}END OF FILE\n` });
      last = undefined;
    } else last = undefined;
  }
  return steps;
}
