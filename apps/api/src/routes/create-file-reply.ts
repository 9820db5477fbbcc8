import { compressions, fileExtension, mediaTypeOf, reportFormats, type OpenedReport } from "@reports/core/report";
import { assertAcceptsMediaType } from "../endpoint/call-endpoint.ts";
import { describeProblems, type HandlerInput, type Reply, type ResponseSpec } from "../endpoint/endpoint.ts";
import { parseByteRange } from "../http/byte-range.ts";
import { allowsRange } from "../http/conditional-headers.ts";
import { formatContentDisposition } from "../http/content-disposition.ts";
import { isNotModified } from "../http/precondition.ts";
import { HttpProblem } from "../problem.ts";

type ReadyReport = OpenedReport & { readonly kind: "ready" };

const validatorHeaders = {
  ETag: "Strong entity tag: the SHA-256 of the bytes.",
  "Last-Modified": "When the report finished.",
  "Cache-Control": "private, no-cache, no-transform",
};

const fileHeaders = {
  ...validatorHeaders,
  "Content-Disposition": "attachment with the file's name. RFC 6266.",
  "Accept-Ranges": "bytes",
  "Repr-Digest": "SHA-256 of the whole file. RFC 9530.",
  "Content-Security-Policy": "default-src 'none'; sandbox",
};

const fileMediaTypes = [
  ...new Set(
    reportFormats.flatMap((format) =>
      compressions.map((compression) => mediaTypeOf(fileExtension(format, compression)).split(";")[0]!),
    ),
  ),
];

export const fileResponseSpecs: Readonly<Record<number, ResponseSpec>> = {
  200: {
    kind: "bytes",
    description:
      "The stored bytes. They are hashed on the way, and the connection is closed before the last of them when they are not those that Repr-Digest names.",
    mediaTypes: fileMediaTypes,
    headers: fileHeaders,
  },
  206: {
    kind: "bytes",
    description:
      "The part of the bytes that Range asks for, out of the version of the file that was published. It is not hashed here: compare the whole with Repr-Digest once it is complete.",
    mediaTypes: fileMediaTypes,
    headers: { ...fileHeaders, "Content-Range": "Which part of how many bytes." },
  },
  304: { kind: "empty", description: "The caller has these bytes already.", headers: validatorHeaders },
  ...describeProblems({
    406: "Accept does not allow the type that the file has.",
    412: "If-Match names other bytes.",
    416: "The range lies outside the file.",
    503: "The file store cannot be reached or does not belong to the database, or the stored file differs from the published one and is being checked.",
  }),
};

export const fileRequestHeaders = {
  Range: "One range of bytes; anything else gives the whole file.",
  "If-Range": "The entity tag or date under which Range counts.",
  "If-Match": "Entity tags of which one must be the file's.",
  "If-None-Match": "Entity tags that the caller has already.",
  "If-Modified-Since": "Date of the copy that the caller has.",
};

export function createFileReply({ report, file, open, check }: ReadyReport, input: HandlerInput<unknown>): Reply {
  assertAcceptsMediaType(input, [file.contentType]);
  const lastModified = report.finishedAt ?? report.updatedAt;
  const validators = { etag: `"${file.sha256}"`, lastModified };
  const cacheHeaders = {
    ETag: validators.etag,
    "Last-Modified": lastModified.toUTCString(),
    "Cache-Control": "private, no-cache, no-transform",
  };
  if (isNotModified(input, validators)) return { status: 304, headers: cacheHeaders, body: { kind: "empty" } };

  // HTTP defines Range only for GET, so HEAD ignores it. RFC 9110 §14.2.
  const wanted =
    input.method === "GET" && allowsRange(input.header("if-range"), validators) ? input.header("range") : undefined;
  const range = parseByteRange(wanted, file.sizeBytes);
  if (range === "unsatisfiable") {
    const message = `The range lies outside the file, which has ${file.sizeBytes} bytes.`;
    throw new HttpProblem(416, "range-not-satisfiable", message, {
      headers: { "Content-Range": `bytes */${file.sizeBytes}` },
      issues: [{ header: "Range", code: "out_of_range", message }],
    });
  }
  return {
    status: range === null ? 200 : 206,
    headers: {
      ...cacheHeaders,
      "Content-Disposition": formatContentDisposition(file.fileName),
      "Accept-Ranges": "bytes",
      "Repr-Digest": `sha-256=:${Buffer.from(file.sha256, "hex").toString("base64")}:`,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      ...(range === null ? {} : { "Content-Range": `bytes ${range.start}-${range.end}/${file.sizeBytes}` }),
    },
    body: {
      kind: "bytes",
      contentType: file.contentType,
      sizeBytes: range === null ? file.sizeBytes : range.end - range.start + 1,
      open: async (signal) => open({ signal, ...(range === null ? {} : { range }) }),
      check: async (signal) => check({ signal }),
    },
    audit: {},
  };
}
