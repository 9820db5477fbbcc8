import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runOpenApiTool, openApiToolsFolder } from "./openapi-tools.ts";

export const pypiRequirements = ["openapi-python-client==0.29.1", "openapi-generator-cli==7.17.0"] as const;
const folder = join(
  import.meta.dirname,
  `../../node_modules/.cache/generators-${pypiRequirements.map((one) => one.split("==")[1]).join("-")}`,
);

export async function installPypiGenerators(): Promise<Readonly<Record<string, string>>> {
  if (!existsSync(join(folder, "bin/openapi-generator-cli"))) {
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder];
    await runOpenApiTool("python3", [...pip, ...pypiRequirements]);
  }
  return {
    PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter),
    PYTHONPATH: [folder, openApiToolsFolder].join(delimiter),
    PYTHONDONTWRITEBYTECODE: "1",
  };
}
