/** The first day that Excel and everyone else count alike (1900 was no leap year, which Excel does not know). */
const firstSerial = 61;
const unixEpochSerial = 25569;

/**
 * Excel's serial number of a wire-form timestamp's wall clock or of a date: days since 1899-12-30, the time as a fraction.
 * NaN for what Excel cannot hold: days before 1900-03-01 or after 9999-12-31, and infinity.
 */
export function dateSerial(bytes: Uint8Array, start: number, end: number): number {
  const isDay = end - start >= 10 && bytes[start + 4] === 0x2d && bytes[start + 7] === 0x2d;
  if (!isDay || bytes[end - 1] === 0x43) return Number.NaN;
  const digits = (at: number) => ((bytes[start + at] as number) - 48) * 10 + (bytes[start + at + 1] as number) - 48;
  const serial = daysSinceEpoch(digits(0) * 100 + digits(2), digits(5), digits(8)) + unixEpochSerial;
  if (!(serial >= firstSerial)) return Number.NaN;
  if (end - start === 10) return serial;
  let seconds = digits(11) * 3600 + digits(14) * 60 + digits(17);
  if (bytes[start + 19] === 0x2e) {
    let scale = 0.1;
    for (let at = start + 20; at < end; at++, scale /= 10) {
      const digit = (bytes[at] as number) - 48;
      if (digit < 0 || digit > 9) break;
      seconds += digit * scale;
    }
  }
  return serial + seconds / 86_400;
}

/** Days from 1970-01-01 in the proleptic Gregorian calendar; years are counted from March, so that the leap day comes last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((marchMonth * 153 + 2) / 5) + day - 719_469;
}
