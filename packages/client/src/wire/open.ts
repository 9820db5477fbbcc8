/** One of these values, or one that a later version of the gateway adds: answers are open (docs/reference/http.md#open-responses-and-closed-inputs). */
export type Open<Known extends string> = Known | (string & {});
