/**
 * Of a list that stands in a choice with other schemas. Generators that make a class of every schema of a choice find none for a list that
 * has no name; and openapi-generator makes one of a name for this extension alone (docs/clients.md).
 */
export const listWithClass = { "x-generate-alias-as-model": true } as const;
