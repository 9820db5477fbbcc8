/** A colour as six upper-case hexadecimal digits, RRGGBB. */
export type HexColour = string;

type Channels = readonly [number, number, number];

export function computeContrastRatio(one: HexColour, other: HexColour): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Mixes two colours. The result is `one` if `share` is 1, and `other` if `share` is 0. */
export function mixColours(one: HexColour, other: HexColour, share: number): HexColour {
  const [a, b] = [toChannels(one), toChannels(other)];
  return toColour([0, 1, 2].map((at) => a[at]! * share + b[at]! * (1 - share)) as unknown as Channels);
}

/** Darkens the colour, keeping its hue, until its contrast to every background is at least `minContrast`. Returns black if no shade has it. */
export function darkenUntilContrast(
  colour: HexColour,
  minContrast: number,
  backgrounds: readonly HexColour[],
): HexColour {
  const linear = toChannels(colour).map(toLinear) as unknown as Channels;
  for (let share = 1; share > 0; share -= 0.01) {
    const darker =
      share === 1 ? colour : toColour(linear.map((channel) => toGamma(channel * share)) as unknown as Channels);
    if (backgrounds.every((background) => computeContrastRatio(darker, background) >= minContrast)) return darker;
  }
  return "000000";
}

function luminance(colour: HexColour): number {
  const [red, green, blue] = toChannels(colour).map(toLinear) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function toChannels(colour: HexColour): Channels {
  const value = Number.parseInt(colour, 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

function toColour(channels: Channels): HexColour {
  const digits = channels.map((channel) =>
    Math.round(channel * 255)
      .toString(16)
      .padStart(2, "0"),
  );
  return digits.join("").toUpperCase();
}

function toLinear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

function toGamma(linear: number): number {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
}
