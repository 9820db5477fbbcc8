import { selectColumnTexts } from "./translate-definition.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";

// The definition of each version is cached, because the schemas of its options are cached by definition object.
const cache = new WeakMap<ReportTypeDefinition, Map<number, ReportTypeDefinition>>();

/** Returns the definition without the columns that versions after `version` added. Columns that these versions removed cannot be restored. */
export function omitColumnsAddedAfter(definition: ReportTypeDefinition, version: number): ReportTypeDefinition {
  const columns = definition.columns.filter(({ sinceVersion = 1 }) => sinceVersion <= version);
  if (columns.length === definition.columns.length || columns.length === 0) return definition;
  const versions = cache.get(definition) ?? new Map<number, ReportTypeDefinition>();
  cache.set(definition, versions);
  const known = versions.get(version);
  if (known !== undefined) return known;
  const keys = new Set(columns.map(({ key }) => key));
  const had = (key: string): boolean => keys.has(key);
  const hadKey = ({ key }: { readonly key: string }): boolean => had(key);
  const pdfColumns = definition.pdfColumns.filter(had);
  const { attention } = definition.summary;
  const made: ReportTypeDefinition = {
    ...definition,
    version,
    columns,
    pdfColumns: pdfColumns.length === 0 ? [...keys] : pdfColumns,
    defaultSort: definition.defaultSort.filter(hadKey),
    groupable: definition.groupable.filter(had),
    ...(definition.texts === undefined ? {} : { texts: selectColumnTexts(definition.texts, had) }),
    ...(attention === undefined
      ? {}
      : {
          summary: {
            ...definition.summary,
            attention: {
              ...attention,
              columns: attention.columns.filter(had),
              ...(attention.pdfColumns === undefined ? {} : { pdfColumns: attention.pdfColumns.filter(had) }),
              sort: attention.sort.filter(hadKey),
            },
          },
        }),
  };
  versions.set(version, made);
  return made;
}
