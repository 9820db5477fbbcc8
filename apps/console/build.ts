import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { minifyScripts } from "./minify-scripts.ts";

const appFolder = import.meta.dirname;
const distFolder = join(appFolder, "dist");
const siteFolder = join(distFolder, "site");

/** The page loads its files by relative URLs, so that the console works behind any path prefix of a proxy. */
const createPage = (script: string, style: string, icon: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Report Gateway</title>
<link rel="icon" href="console/${icon}" type="image/svg+xml">
<link rel="stylesheet" href="console/${style}">
<script type="module" src="console/${script}"></script>
</head>
<body><noscript>The console needs JavaScript. Everything it does can also be done through the API: see its documentation at docs.</noscript></body>
</html>
`;

// esbuild returns the files and writes none (`write: false`), so a failed build leaves the previous site unchanged.
const { outputFiles, metafile } = await build({
  // esbuild hashes the paths of the sources into the file names, so the paths must not depend on the current directory.
  absWorkingDir: appFolder,
  entryPoints: [join(appFolder, "src/main.tsx"), join(appFolder, "src/style/console.css")],
  outdir: siteFolder,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  // Loads the OIDC sign-in, which few deployments need, only when it is used.
  splitting: true,
  bundle: true,
  metafile: true,
  format: "esm",
  platform: "browser",
  target: ["es2022"],
  // Bundles the workspace packages from their sources, so that the build of the console needs no build of the packages.
  conditions: ["@reports/source"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  legalComments: "none",
  write: false,
  logLevel: "warning",
});
const iconBytes = await readFile(join(appFolder, "src/icon.svg"));
const iconName = `icon-${createHash("sha256").update(iconBytes).digest("hex").slice(0, 8)}.svg`;
const findEntryOutput = (extension: string): string =>
  Object.entries(metafile.outputs).find(([path, { entryPoint }]) => entryPoint && path.endsWith(extension))?.[0] ?? "";
const scriptPath = findEntryOutput(".js");
await mkdir(siteFolder, { recursive: true });
// bundled-packages.json is an input of the software bill of materials of the image.
const bundledPackages = Object.keys(metafile.inputs).flatMap(
  (path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
);
await writeFile(
  join(distFolder, "bundled-packages.json"),
  JSON.stringify([...new Set(bundledPackages)].map((path) => relative(distFolder, resolve(appFolder, path)))),
);
const pageHtml = createPage(basename(scriptPath), basename(findEntryOutput(".css")), iconName);
const scripts = outputFiles.filter(({ path }) => path.endsWith(".js"));
const minifiedScripts = await minifyScripts(
  scripts.map(({ text }) => text),
  join(appFolder, "node_modules/.cache/minified-scripts"),
);
const siteFiles: readonly (readonly [name: string, contents: Uint8Array | string])[] = [
  ...outputFiles.map((file) => [basename(file.path), minifiedScripts[scripts.indexOf(file)] ?? file.contents] as const),
  [iconName, iconBytes],
  // The page is written last, so that a browser never gets a page whose files do not exist yet.
  ["index.html", pageHtml],
];
// APIs may serve from the folder, and other builds may write to it, at the same time. So each file appears complete, by a rename, and unused files
// are removed last.
const stagingFolder = await mkdtemp(join(distFolder, "site-"));
for (const [name, contents] of siteFiles) {
  await writeFile(join(stagingFolder, name), contents);
  await rename(join(stagingFolder, name), join(siteFolder, name));
}
await rm(stagingFolder, { recursive: true });
const siteFileNames = new Set(siteFiles.map(([name]) => name));
for (const name of await readdir(siteFolder))
  if (!siteFileNames.has(name)) await rm(join(siteFolder, name), { force: true });
