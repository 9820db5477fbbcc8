import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";

const page = join(import.meta.dirname, "../../docs/guides/calling/generate-a-client.md");

/** The headings of docs/guides/calling/generate-a-client.md whose commands CI runs to generate a client. */
export const generatedClientNames = [
  "openapi-typescript",
  "@hey-api/openapi-ts",
  "openapi-python-client",
  "oapi-codegen",
  "openapi-generator, Kotlin",
  "openapi-generator, Java",
] as const;

export type GeneratedClientName = (typeof generatedClientNames)[number];

export function parseCommandsByHeading(markdown: string): ReadonlyMap<string, string> {
  const sections = markdown.split(/^### /m).slice(1);
  return new Map(
    sections.flatMap((section) => {
      const [heading = ""] = section.split("\n", 1);
      const [, block] = /^```sh\n(.*?)^```$/ms.exec(section) ?? [];
      return block === undefined ? [] : [[heading, block] as const];
    }),
  );
}

export async function readDocumentedCommands(client: GeneratedClientName): Promise<string> {
  const commands = parseCommandsByHeading(await readFile(page, "utf8")).get(client);
  if (commands === undefined)
    throw new CommandExitError(`docs/guides/calling/generate-a-client.md has no commands under "${client}".`, 1);
  return commands;
}
