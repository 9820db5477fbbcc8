import { MalformedJsonError, parseStrictJsonBytes } from "@reports/core/base";
import { koaBody } from "koa-body";
import type Koa from "koa";
import { splitListHeader } from "../http/list-header.ts";
import { maxBodyBytes } from "../limits/body-memory-budget.ts";
import { HttpProblem } from "../problem.ts";
import { assertJsonItemLimit } from "./assert-json-item-limit.ts";

/** Maximum number of content codings that the API reads in `Content-Encoding`. It ignores the rest of the header. */
const maxContentCodings = 20;

export interface ReadJsonBodyOptions {
  /** Whether the body may be missing. A body without bytes, even in chunked encoding, then counts as `{}`. */
  readonly isOptional: boolean;
}

/**
 * Reads and parses a strict JSON body. Throws HttpProblem with 415, 413 (above 256 KiB) or 400 (malformed JSON), and DomainError("invalid") for
 * too many fields or values. `reserve` reserves the body's bytes, returns the function that releases them, and may throw.
 */
export async function readJsonBody(
  ctx: Koa.Context,
  mediaTypes: readonly string[],
  { isOptional }: ReadJsonBodyOptions,
  reserve: (sizeBytes: number) => () => void,
): Promise<unknown> {
  const refusal = findMediaTypeProblem(ctx, mediaTypes);
  const mayBeEmpty = isOptional && ctx.get("Content-Type") === "";
  if (refusal !== null && !mayBeEmpty) throw refusal;
  // koa-body ignores a body without a Content-Type, so an optional body gets the type that the endpoint accepts.
  if (mayBeEmpty) ctx.req.headers["content-type"] = mediaTypes[0];
  // The only content coding that reaches this line is "identity". koa-body would not understand a header that lists it twice.
  delete ctx.req.headers["content-encoding"];
  // koa-body reads Content-Length as a 32-bit number. It would misread a greater length and wait for more bytes, so the length is checked here.
  const declaredBytes = ctx.get("Content-Length");
  if (Number(declaredBytes) > maxBodyBytes) throw bodyTooLargeProblem();
  const release = reserve(declaredBytes === "" ? maxBodyBytes : Number(declaredBytes));
  try {
    await createTextBodyParser(mediaTypes)(ctx, async () => undefined);
    const text: unknown = (ctx.request as { body?: unknown }).body;
    // The bytes arrive as latin1 text, which keeps each of them. So parseStrictJsonBytes can refuse invalid UTF-8.
    const bytes = Buffer.from(typeof text === "string" ? text : "", "latin1");
    if (isOptional && bytes.length === 0) return {};
    if (refusal !== null) throw refusal;
    assertJsonItemLimit(bytes);
    return parseStrictJsonBytes(bytes, "The body");
  } catch (error) {
    if (error instanceof MalformedJsonError) {
      throw new HttpProblem(400, "malformed-body", error.message, {
        issues: [{ pointer: "", code: "malformed_json", message: error.message }],
      });
    }
    if (error instanceof Error && "status" in error && error.status === 413) throw bodyTooLargeProblem();
    throw error;
  } finally {
    release();
  }
}

function bodyTooLargeProblem(): HttpProblem {
  return new HttpProblem(413, "body-too-large", `The body must not exceed ${maxBodyBytes} bytes.`, {
    headers: { Connection: "close" },
  });
}

function createTextBodyParser(mediaTypes: readonly string[]) {
  return koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    textTypes: [...mediaTypes],
    textLimit: maxBodyBytes,
    encoding: "latin1",
  });
}

function findMediaTypeProblem(ctx: Koa.Context, mediaTypes: readonly string[]): HttpProblem | null {
  const header = ctx.method === "PATCH" ? "Accept-Patch" : "Accept-Post";
  const headers = { [header]: mediaTypes.join(", ") };
  const codings = splitListHeader(ctx.get("Content-Encoding").toLowerCase(), maxContentCodings);
  if (codings.some((coding) => coding !== "identity")) {
    throw new HttpProblem(415, "unsupported-content-coding", "The body must not be compressed.", {
      headers: { ...headers, "Accept-Encoding": "identity" },
    });
  }
  const [type = "", ...parameters] = ctx
    .get("Content-Type")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice("charset=".length)
    .replaceAll('"', "");
  if (mediaTypes.includes(type) && (charset === undefined || charset === "utf-8")) return null;
  const message = `The body must be ${mediaTypes.join(" or ")} in UTF-8, and Content-Type must say so.`;
  return new HttpProblem(415, "unsupported-media-type", message, {
    headers,
    issues: [{ header: "Content-Type", code: "unsupported_media_type", message }],
  });
}
