import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { build } from "esbuild";

const folder = import.meta.dirname;
const dist = join(folder, "dist");
const site = join(dist, "site");

/** The URLs are relative, so that the page works behind any path prefix. */
const pageOf = (script: string, style: string, icon: string): string => `<!doctype html>
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

// Nothing is written before the build is complete: if the build fails, the previous site stays.
const { outputFiles, metafile } = await build({
  // File names contain a hash of the paths, so the paths must not depend on the current directory.
  absWorkingDir: folder,
  entryPoints: [join(folder, "src/main.tsx"), join(folder, "src/style/console.css")],
  outdir: site,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  // Modules that few deployments need are loaded on demand.
  splitting: true,
  bundle: true,
  metafile: true,
  format: "esm",
  platform: "browser",
  target: ["es2022"],
  // Bundles workspace packages from their sources, which need no build.
  conditions: ["@reports/source"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  legalComments: "none",
  write: false,
  logLevel: "warning",
});
const icon = await readFile(join(folder, "src/icon.svg"));
const iconName = `icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8)}.svg`;
const entryOf = (extension: string): string =>
  Object.entries(metafile.outputs).find(([path, { entryPoint }]) => entryPoint && path.endsWith(extension))?.[0] ?? "";
const script = entryOf(".js");
await mkdir(site, { recursive: true });
// The software bill of materials of the image lists these packages.
const packages = Object.keys(metafile.inputs).flatMap(
  (path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
);
await writeFile(
  join(dist, "bundled-packages.json"),
  JSON.stringify([...new Set(packages)].map((path) => relative(dist, resolve(folder, path)))),
);
const page = pageOf(basename(script), basename(entryOf(".css")), iconName);
const files: readonly (readonly [name: string, contents: Uint8Array | string])[] = [
  ...outputFiles.map(({ path, contents }) => [basename(path), contents] as const),
  [iconName, icon],
  // The page is written last, after the files that it loads.
  ["index.html", page],
];
// APIs and other builds may use the folder during this build. So each file appears complete, by a rename, and unused files are removed last.
const stagingFolder = await mkdtemp(join(dist, "site-"));
for (const [name, contents] of files) {
  await writeFile(join(stagingFolder, name), contents);
  await rename(join(stagingFolder, name), join(site, name));
}
await rm(stagingFolder, { recursive: true });
const names = new Set(files.map(([name]) => name));
for (const name of await readdir(site)) if (!names.has(name)) await rm(join(site, name), { force: true });
