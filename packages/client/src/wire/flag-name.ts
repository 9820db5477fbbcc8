/** Returns the flag of a field in the command line, without `--`. A field in seconds takes a duration, so its flag has no unit. */
export function flagNameOf(field: string): string {
  return field.replace(/Seconds$/, "").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
