import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { readPackageManifest } from "./published-packages.ts";

const quiet = { default: { logLevel: ExtractorLogLevel.None } };

export function findApiDifferences(folder: string, { update }: { readonly update: boolean }): string[] {
  const written = mkdtempSync(join(tmpdir(), "reports-api-"));
  try {
    return typesOf(folder).flatMap(([name, types]) => {
      const file = `${name}.api.md`;
      writeReport({ folder, types, file, written });
      const reviewed = join(folder, "api", file);
      if (update) copyFileSync(join(written, file), reviewed);
      else if (!existsSync(reviewed) || readFileSync(join(written, file), "utf8") !== readFileSync(reviewed, "utf8"))
        return [`the public types differ from api/${file}. Review them, and run check-packages --update.`];
      return [];
    });
  } finally {
    rmSync(written, { recursive: true });
  }
}

function typesOf(folder: string): [name: string, types: string][] {
  const { publishConfig } = readPackageManifest(join(folder, "package.json"));
  return Object.entries(publishConfig?.exports ?? {}).map(([subpath, target]) => [
    subpath === "." ? "index" : subpath.slice(2),
    declarationIn(target),
  ]);
}

function declarationIn(target: unknown): string {
  const { types, default: fallback } = target as { readonly types?: string; readonly default?: unknown };
  return types ?? declarationIn(fallback);
}

function writeReport(report: {
  readonly folder: string;
  readonly types: string;
  readonly file: string;
  readonly written: string;
}): void {
  const { folder, types, file, written } = report;
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, types),
      apiReport: {
        enabled: true,
        reportFolder: written,
        reportTempFolder: join(written, "temp"),
        reportFileName: file,
      },
      compiler: {
        overrideTsconfig: {
          compilerOptions: { target: "esnext", module: "nodenext", strict: true, skipLibCheck: true, types: ["node"] },
          files: [types],
        },
      },
      // API Extractor's own messages are off, because tsc and oxlint check the sources.
      messages: { compilerMessageReporting: quiet, extractorMessageReporting: quiet, tsdocMessageReporting: quiet },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, "package.json"),
  });
  Extractor.invoke(config, { localBuild: true, messageCallback: (message) => void (message.handled = true) });
}
