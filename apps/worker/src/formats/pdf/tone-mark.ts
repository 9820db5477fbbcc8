import type { Tone } from "@reports/core/report";
import type { PdfCanvas } from "./pdf-canvas.ts";

export function drawToneMark(canvas: PdfCanvas, x: number, y: number, tone: Tone, size = 3.2): void {
  const colour = canvas.palette.toneFill[tone];
  if (tone === "warn")
    canvas.path(
      [
        [x, y - size],
        [x + size * 1.1, y + size * 0.9],
        [x - size * 1.1, y + size * 0.9],
      ],
      colour,
      { fill: true },
    );
  else if (tone === "bad")
    canvas.path(
      [
        [x, y - size * 1.2],
        [x + size * 1.2, y],
        [x, y + size * 1.2],
        [x - size * 1.2, y],
      ],
      colour,
      { fill: true },
    );
  else if (tone === "good") canvas.path(octagonPoints(x, y, size), colour, { fill: true });
  else canvas.path([...octagonPoints(x, y, size * 0.8), [x + size * 0.8, y + size * 0.33]], colour, { lineWidth: 1.2 });
}

export function fillToneArea(
  canvas: PdfCanvas,
  area: { x: number; y: number; width: number; height: number },
  tone: Tone,
): void {
  const { x, y, width, height } = area;
  canvas.fill(x, y, width, height, canvas.palette.toneFill[tone]);
  if (tone === "warn") canvas.hatch(x, y, width, height, canvas.palette.hatch);
  if (tone === "muted" && width > 2) canvas.outline(x + 0.3, y + 0.3, width - 0.6, height - 0.6, canvas.palette.edge);
}

function octagonPoints(x: number, y: number, radius: number): [number, number][] {
  const short = radius * 0.414;
  return [
    [x + radius, y + short],
    [x + short, y + radius],
    [x - short, y + radius],
    [x - radius, y + short],
    [x - radius, y - short],
    [x - short, y - radius],
    [x + short, y - radius],
    [x + radius, y - short],
  ];
}
