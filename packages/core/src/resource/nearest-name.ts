/** The allowed name that is closest to the given one, when it is close enough to be what was meant. */
export function nearestName(name: string, allowed: readonly string[]): string | undefined {
  const wanted = name.toLowerCase().slice(0, 64);
  let best: string | undefined;
  let bestDistance = Math.floor(Math.max(wanted.length, 3) / 3) + 1;
  for (const candidate of allowed) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** "… Did you mean x?" or, without a near name, the list of what is allowed. */
export function suggestName(name: string, allowed: readonly string[]): string {
  const nearest = nearestName(name, allowed);
  const list = `Allowed: ${allowed.join(", ")}.`;
  return nearest === undefined ? list : `Did you mean ${nearest}? ${list}`;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(previous[j]! + 1, current[j - 1]! + 1, substitution));
    }
    previous = current;
  }
  return previous[b.length]!;
}
