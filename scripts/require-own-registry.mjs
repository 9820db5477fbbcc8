// Refuses a publication to the public registry. Runs as prepublishOnly before `pnpm publish` of every published package. It must run on any Node, so
// it is plain JavaScript.
import { execFileSync } from "node:child_process";

const scope = "@reports";
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const registry = execFileSync(npm, ["config", "get", `${scope}:registry`], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
}).trim();

if (!URL.canParse(registry)) {
  console.error(
    `Not published: no registry is configured for the scope ${scope}, so the package would go to the default registry. ` +
      `Set your company's registry, for example with: npm config set ${scope}:registry https://packages.example.com/npm/`,
  );
  process.exitCode = 1;
}
