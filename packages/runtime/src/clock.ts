/** The system's clock, for the dependency of that name. */
export function systemClock(): Date {
  return new Date();
}
