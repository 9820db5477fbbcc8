export interface PageStep {
  readonly line: number;
  /** Commands for bash. If the page shows a program instead, the command that writes its file. */
  readonly commands: string;
  readonly needs?: string;
  /** The runner that the page names for this step. */
  readonly runner?: string;
  readonly output?: { readonly line: number; readonly language: string; readonly text: string };
}

const outputLanguages = new Set(["json", "http", "text", "csv"]);
const programLanguages = new Set(["ts", "js", "python"]);
const blockPattern =
  /^(?:<!-- (?:not run: (?<reason>.+)|run by: (?<runner>.+)|needs: (?<needs>\S+)) -->\n+)?(?<indent> *)```(?<language>\w+)\n(?<code>[^]*?)^ *```$/gm;

export interface CodeBlock {
  readonly line: number;
  readonly language: string;
  readonly code: string;
  readonly before: string;
  readonly reason: string | undefined;
  readonly runner: string | undefined;
  readonly needs: string | undefined;
}

export function parseCodeBlocks(markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(blockPattern)].map(({ 0: whole, index, groups = {} }) => {
    const { reason, runner, needs, language = "", indent = "" } = groups;
    const before = markdown.slice(0, index);
    const line = (before + whole.slice(0, whole.indexOf("```"))).split("\n").length;
    const code = groups["code"]!.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    return { line, language, code, before, reason, runner, needs };
  });
}

/**
 * Returns the steps of a page. A `sh` block is a step, and a block of output after it is its expected output. A program block is a step that writes
 * the program to the file that the text above it names last. A block below the comment `<!-- not run: reason -->` is left out, with its output.
 * A block below `<!-- run by: runner -->` is a step of that runner only, and other blocks are steps of the runner `undefined`. Below
 * `<!-- needs: program -->`, both are left out if that program is missing. Throws an Error if a block is none of these.
 */
export function parsePageSteps(
  markdown: string,
  runners: readonly (string | undefined)[] = [undefined],
): readonly PageStep[] {
  const steps: PageStep[] = [];
  let last: PageStep | "ignored" | undefined;
  for (const { line, language, code, before, reason, needs, runner } of parseCodeBlocks(markdown)) {
    if (outputLanguages.has(language)) {
      if (last === undefined && reason === undefined)
        throw new Error(`Line ${line}: no commands are above this ${language} block.`);
      if (typeof last === "object") steps[steps.length - 1] = { ...last, output: { line, language, text: code } };
      last = undefined;
    } else if (reason !== undefined || !runners.includes(runner)) last = "ignored";
    else if (language === "sh") {
      last = { line, commands: code, ...(needs !== undefined && { needs }), ...(runner !== undefined && { runner }) };
      steps.push(last);
    } else if (programLanguages.has(language)) {
      const [, file] = /`([\w.-]+\.\w+)`[^`\n]*\n\n$/.exec(before) ?? [];
      if (file === undefined) throw new Error(`Line ${line}: the text above this ${language} block names no file.`);
      steps.push({ line, commands: `cat >'${file}' <<'END OF FILE'\n${code}END OF FILE\n` });
      last = undefined;
    } else last = undefined;
  }
  return steps;
}
