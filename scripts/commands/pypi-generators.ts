import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runTool, toolsFolder } from "./openapi-tools.ts";

export const requirements = ["openapi-python-client==0.29.1", "openapi-generator-cli==7.17.0"] as const;
const folder = join(
  import.meta.dirname,
  `../../node_modules/.cache/generators-${requirements.map((one) => one.split("==")[1]).join("-")}`,
);

export async function prepareGenerators(): Promise<Readonly<Record<string, string>>> {
  if (!existsSync(join(folder, "bin/openapi-generator-cli"))) {
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder];
    await runTool("python3", [...pip, ...requirements]);
  }
  return {
    PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter),
    PYTHONPATH: [folder, toolsFolder].join(delimiter),
    PYTHONDONTWRITEBYTECODE: "1",
  };
}
