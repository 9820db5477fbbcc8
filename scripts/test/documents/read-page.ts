/** A step of a page, in the order in which a reader takes them. */
export interface Step {
  /** Line of the page on which its block begins. */
  readonly line: number;
  /** Commands of bash. For a file that the page shows, the command that writes it. */
  readonly commands: string;
  /** The output that the page shows for the commands. */
  /** A program without which the step is left out. */
  readonly needs?: string;
  readonly output?: { readonly line: number; readonly language: string; readonly text: string };
}

const outputs = new Set(["json", "http", "text", "csv"]);
const programs = new Set(["ts", "js", "python"]);
const block =
  /^(?:<!-- (?:not run: (?<reason>.+)|needs: (?<needs>\S+)) -->\n+)?(?<indent> *)```(?<language>\w+)\n(?<code>[^]*?)^ *```$/gm;

/**
 * Reads the steps of a page. A `sh` block is run. A block of output after it is the output that is expected. A program goes to the file that the
 * text above it names last. A block below the comment `<!-- not run: reason -->` is ignored, and so is its output. `<!-- needs: program -->` ignores
 * both only where that program is missing.
 * Throws an Error if a block is none of these.
 */
export function readPage(markdown: string): readonly Step[] {
  const steps: Step[] = [];
  let last: Step | "ignored" | undefined;
  for (const { 0: whole, index, groups = {} } of markdown.matchAll(block)) {
    const { reason, needs, language = "", indent = "" } = groups;
    const code = groups["code"]!.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    const before = markdown.slice(0, index);
    const line = (before + whole.slice(0, whole.indexOf("```"))).split("\n").length;
    if (outputs.has(language)) {
      if (last === undefined && reason === undefined)
        throw new Error(`Line ${line}: no commands are above this ${language} block.`);
      if (typeof last === "object") steps[steps.length - 1] = { ...last, output: { line, language, text: code } };
      last = undefined;
    } else if (reason !== undefined) last = "ignored";
    else if (language === "sh") steps.push((last = { line, commands: code, ...(needs !== undefined && { needs }) }));
    else if (programs.has(language)) {
      const [, file] = /`([\w.-]+\.\w+)`[^`\n]*\n\n$/.exec(before) ?? [];
      if (file === undefined) throw new Error(`Line ${line}: the text above this ${language} block names no file.`);
      steps.push({ line, commands: `cat >'${file}' <<'END OF FILE'\n${code}END OF FILE\n` });
      last = undefined;
    } else last = undefined;
  }
  return steps;
}
