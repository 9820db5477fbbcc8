import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CommandFailure } from "@reports/commands";
import { runTool, toolsFolder } from "./openapi-tools.ts";

/** Generators that come from PyPI, each of its version; openapi-generator brings its Java program along. */
const requirements = ["openapi-python-client==0.29.1", "openapi-generator-cli==7.17.0"] as const;
/** Beside the other caches, so that a checkout stays clean. */
const folder = join(
  import.meta.dirname,
  `../../node_modules/.cache/generators-${requirements.map((one) => one.split("==")[1]).join("-")}`,
);

/** The generators of PyPI. */
export interface Generators {
  /** The Java program. */
  readonly openapiGenerator: string;
  /** By which Python finds the other one, and what that generates. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Installs the generators where they are missing. */
export async function prepareGenerators(): Promise<Generators> {
  const openapiGenerator = join(folder, "openapi_generator_cli/openapi-generator.jar");
  if (!existsSync(openapiGenerator)) {
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder];
    await runTool("python3", [...pip, ...requirements]);
  }
  if (!existsSync(openapiGenerator)) throw new CommandFailure(`${requirements[1]} brings no openapi-generator.jar.`, 1);
  // openapi-python-client formats what it has made by programs that come with it.
  const environment = {
    PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter),
    PYTHONPATH: [folder, toolsFolder].join(delimiter),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  return { openapiGenerator, environment };
}
