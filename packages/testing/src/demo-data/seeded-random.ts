export interface SeededRandom {
  next(): number;
  bits(): number;
  /** Returns an integer from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T;
}

/** Creates a pseudo-random generator (splitmix32). Equal arguments give equal values, so that demo data is reproducible. Not for secrets. */
export function createSeededRandom(seed: number, kind: number, index: number): SeededRandom {
  let state =
    (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(kind + 1, 0xc2b2ae35) ^ Math.imul(index + 1, 0x27d4eb2f)) | 0;
  const bits = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const next = (): number => bits() / 4_294_967_296;
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    bits,
    integer,
    chance: (probability) => next() < probability,
    pick: (values) => values[integer(0, values.length - 1)]!,
    weighted: (choices) => {
      let total = 0;
      for (const choice of choices) total += choice[1];
      let left = next() * total;
      for (const choice of choices) {
        left -= choice[1];
        if (left < 0) return choice[0];
      }
      return choices.at(-1)![0];
    },
  };
}

export function makeDemoId(at: Date, random: SeededRandom): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  const [high, middle, low] = [random.bits(), random.bits(), random.bits()].map((word) =>
    word.toString(16).padStart(8, "0"),
  );
  const variant = (8 + (Number.parseInt(high![3]!, 16) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${high!.slice(0, 3)}-${variant}${high!.slice(4, 7)}-${middle}${low!.slice(0, 4)}`;
}
