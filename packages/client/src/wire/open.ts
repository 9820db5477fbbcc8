/** One of these values, or a value that a later version of the gateway adds (docs/reference/http.md#open-responses-and-closed-inputs). */
export type Open<Known extends string> = Known | (string & {});
