import { z } from "zod";

/** An id as the service makes and reads it: a lower-case UUIDv7. `z.uuidv7()` takes capitals as well, under which nothing is found. */
export function idField(description?: string) {
  return z
    .string()
    .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    .meta({ format: "uuid", ...(description !== undefined && { description }) });
}
