import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";

export async function readReadmeCommandBlocks<Name extends string>(
  example: string,
  names: readonly Name[],
): Promise<Readonly<Record<Name, string>>> {
  const readme = await readFile(join(checkoutFolder, "examples", example, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, commands]) => commands!);
  if (blocks.length !== names.length)
    throw new CommandExitError(`The README of ${example} must have exactly ${names.length} command blocks.`);
  return Object.fromEntries(names.map((name, index) => [name, blocks[index]!])) as Record<Name, string>;
}

export function joinStartCommands(starts: readonly string[], folder: string): string {
  const words = starts.map((start) => /^((?:\w+=\S+ )+)npm start\n$/.exec(start)?.[1]?.trim().split(" "));
  const variables = new Map<string, string[]>();
  for (const word of words.flatMap((each) => each ?? [])) {
    const [name, value] = [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)];
    variables.set(name, [...(variables.get(name) ?? []), value]);
  }
  if (words.includes(undefined) || variables.get("REPORT_TYPES")?.length !== starts.length)
    throw new CommandExitError(
      "Each README must start the gateway with variables, among them REPORT_TYPES, and npm start.",
    );
  variables.set("REPORT_TYPES_DIR", [folder]);
  return `${[...variables].map(([name, values]) => `${name}=${values.join(",")}`).join(" ")} npm start`;
}
