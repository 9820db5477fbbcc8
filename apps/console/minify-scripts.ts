import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { minify, type MinifyOptions } from "terser";
import terserManifest from "terser/package.json" with { type: "json" };

const options: MinifyOptions = { module: true, ecma: 2020, compress: { passes: 4 } };

/**
 * Minifies scripts with terser, which makes the compressed scripts 3 % smaller than esbuild's minifier does. That takes several seconds of processor
 * time, so the results are kept in a folder. A later call with the same scripts reads them, and removes the others.
 */
export async function minifyScripts(
  scripts: readonly string[],
  folder: string,
  minifyScript: (script: string) => Promise<string> = async (script) => (await minify(script, options)).code!,
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const names = scripts.map(
    (script) =>
      `${createHash("sha256")
        .update(JSON.stringify([terserManifest.version, options, script]))
        .digest("hex")}.js`,
  );
  const minified = await Promise.all(
    scripts.map(async (script, index) => {
      const path = join(folder, names[index]!);
      try {
        return await readFile(path, "utf8");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
      const code = await minifyScript(script);
      // Renamed, because another build may read the file at the same time.
      await writeFile(`${path}.${process.pid}`, code);
      await rename(`${path}.${process.pid}`, path);
      return code;
    }),
  );
  // Unfinished files of other builds have another ending.
  const isOutdated = (name: string): boolean => name.endsWith(".js") && !names.includes(name);
  for (const name of (await readdir(folder)).filter(isOutdated)) await rm(join(folder, name), { force: true });
  return minified;
}
