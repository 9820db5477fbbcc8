export function systemClock(): Date {
  return new Date();
}
