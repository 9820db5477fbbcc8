import { builtInReportTypes, createCatalogue, type ReportTypeDefinition } from "@reports/core/report";
import { composeRenderFunction } from "./compose-render-function.ts";
import type { RendererSettings } from "./protocol.ts";
import { serveRenderRequests, type ComposeRenderResult } from "./serve-render-requests.ts";

export function runRendererProcess(): void {
  serveRenderRequests(async (settings) => {
    const loaded = await loadDefinitions(settings.reportTypes);
    return loaded.ok
      ? { ok: true, render: composeRenderFunction(createCatalogue(loaded.definitions), settings) }
      : loaded;
  });
}

type LoadedDefinitions =
  | { readonly ok: true; readonly definitions: readonly ReportTypeDefinition[] }
  | Extract<ComposeRenderResult, { readonly ok: false }>;

async function loadDefinitions(choice: RendererSettings["reportTypes"]): Promise<LoadedDefinitions> {
  if (choice.modules.length === 0) return { ok: true, definitions: choice.builtIn ? builtInReportTypes : [] };
  // Loaded only if needed: most deployments have no modules of report types, and a renderer must start fast.
  const { importReportTypes, ReportTypesError } = await import("@reports/type-loader");
  try {
    return { ok: true, definitions: (await importReportTypes(choice)).map(({ definition }) => definition) };
  } catch (error) {
    if (error instanceof ReportTypesError)
      return { ok: false, problems: error.problems, isHostFailure: error.isHostFailure };
    throw error;
  }
}
