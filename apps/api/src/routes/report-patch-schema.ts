import { reportPatchSchema } from "@reports/core/report";
import { reportSchema } from "@reports/core/wire";
import { z } from "zod";

type Property = z.core.JSONSchema.JSONSchema;

/** Returns the documented schema of a report patch. It may repeat read-only fields as they were read. docs/reference/resources/reports.md#renaming-cancelling-and-deleting. */
export function createReportPatchBodySchema(): z.ZodType {
  const { $ref, $defs = {} } = z.toJSONSchema(reportSchema, { io: "output", unrepresentable: "any" });
  const { properties = {} } = $defs[referencedName($ref!)]!;
  const served = Object.entries(properties)
    .filter(([name]) => !Object.hasOwn(reportPatchSchema.shape, name))
    .map(
      ([name, property]) =>
        [
          name,
          z
            .unknown()
            .optional()
            .meta(markReadOnly(property as Property, $defs)),
        ] as const,
    );
  return reportPatchSchema.extend(Object.fromEntries(served)).meta(reportPatchSchema.meta()!);
}

/** Marks a field as read-only. Replaces a reference by its description, because components of responses allow unknown fields, and bodies must not. */
function markReadOnly(property: Property, components: Readonly<Record<string, Property>>): Property {
  const refs = [property, ...(property.anyOf ?? []), property.items].flatMap((part) =>
    typeof part === "object" && !Array.isArray(part) && part.$ref !== undefined ? [part.$ref] : [],
  );
  if (refs.length === 0) return { ...property, readOnly: true };
  const component = components[referencedName(refs[0]!)];
  return { description: property.description ?? component?.description ?? "As it was read.", readOnly: true };
}

function referencedName(ref: string): string {
  return ref.split("/").at(-1)!;
}
