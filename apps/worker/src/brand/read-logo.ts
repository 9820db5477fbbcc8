import { Buffer } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { deflateSync } from "node:zlib";
import type { Logo } from "./brand.ts";
import type { LogoDrawingResult, DrawnLogo } from "./logo-drawing.ts";

const maxFileBytes = 1024 * 1024;
const maxSidePx = 10_000;
const drawingTimeoutMs = 20_000;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Thrown if the logo file can't be used. The message begins with "must be" or "cannot be", and completes a sentence about the file. */
export class LogoError extends Error {}

export async function readLogo(path: string): Promise<Logo> {
  const bytes = await readLogoFile(path);
  const drawing = await drawInThread(toSvg(bytes));
  if ("problem" in drawing) throw new LogoError(`must be ${drawing.problem}`);
  const { widthPx, heightPx, png } = drawing;
  return { widthPx, heightPx, png: Buffer.from(png).toString("base64"), ...separateOpacity(drawing) };
}

/** Separates colours and opacity, because a PDF needs them as two images. */
function separateOpacity({ rgba }: DrawnLogo): Pick<Logo, "rgb" | "alpha"> {
  const count = rgba.length / 4;
  const rgb = Buffer.alloc(count * 3);
  const alpha = Buffer.alloc(count);
  for (let pixel = 0; pixel < count; pixel++) {
    const opacity = rgba[pixel * 4 + 3]!;
    alpha[pixel] = opacity;
    if (opacity === 0) continue;
    for (let colour = 0; colour < 3; colour++)
      rgb[pixel * 3 + colour] = Math.round((rgba[pixel * 4 + colour]! * 255) / opacity);
  }
  return {
    rgb: deflateSync(rgb).toString("base64"),
    alpha: alpha.every((value) => value === 255) ? null : deflateSync(alpha).toString("base64"),
  };
}

async function readLogoFile(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > maxFileBytes) throw new LogoError(`must be of at most 1 MiB, and it has ${size} bytes`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof LogoError) throw error;
    throw new LogoError(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Wraps a PNG in an SVG, so that the drawing library draws both formats. An SVG is only checked. */
function toSvg(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, pngSignature.length).equals(pngSignature)) return checkSvg(bytes);
  if (bytes.length < 33) throw new LogoError("must be a PNG or SVG, and this PNG is cut off");
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width < 1 || height < 1 || width > maxSidePx || height > maxSidePx)
    throw new LogoError(`must be at most ${maxSidePx} pixels wide and high, and it is ${width} × ${height}`);
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="data:image/png;base64,${bytes.toString("base64")}"/></svg>`,
  );
}

function checkSvg(bytes: Buffer): Buffer {
  const text = bytes.toString("utf8");
  if (!/<svg[\s>]/.test(text)) throw new LogoError("must be a PNG or SVG");
  // The drawing library has no fonts and would omit text without an error.
  if (/<text[\s>]/.test(text)) throw new LogoError("must be an SVG whose text has been converted to paths");
  return bytes;
}

async function drawInThread(svg: Buffer): Promise<LogoDrawingResult> {
  // The thread's module is a .ts file in the source tree and a .js file in a build.
  const module = new URL(`./logo-thread${extname(import.meta.url)}`, import.meta.url);
  const thread = new Worker(module, { workerData: svg });
  const timeout = AbortSignal.timeout(drawingTimeoutMs);
  try {
    return await new Promise<LogoDrawingResult>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.once("exit", () => reject(new Error("The thread that draws the logo ended before it was drawn.")));
      timeout.addEventListener("abort", () => reject(new LogoError("cannot be drawn within 20 s")));
    });
  } catch (error) {
    if (error instanceof LogoError) throw error;
    throw new LogoError(`cannot be drawn: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await thread.terminate();
  }
}
