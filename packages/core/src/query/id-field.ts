import { z } from "zod";

/** A lower-case UUIDv7. `z.uuidv7()` would also accept upper case, which matches no stored ID. */
export function idField(description?: string) {
  return z
    .string()
    .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    .meta({ format: "uuid", ...(description !== undefined && { description }) });
}
