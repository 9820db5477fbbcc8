import { DomainError } from "@reports/core/base";
import { z } from "zod";
import { defineEndpoint, describeProblems, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import type { ConsoleSite } from "./console-site.ts";

/** Returns the Content-Security-Policy of the console. It allows files and requests of the API's origin, and requests to `origins`. docs/decisions/0044. */
const buildContentSecurityPolicy = (origins: readonly string[]): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${["'self'", ...origins].join(" ")}; img-src 'self'; ` +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
/** Browsers may cache a console file for a year, because a changed file gets another name. */
const fileCacheHeaders = { "Cache-Control": "public, max-age=31536000, immutable" };

/** Returns `GET /console` and `GET /console/{file}`. They need no credentials, because the page itself asks for them. */
export function consoleEndpoints(site: ConsoleSite): readonly Endpoint[] {
  return [
    defineEndpoint({
      method: "GET",
      path: "/console",
      operationId: "console",
      summary: "The console, for people",
      description: "A page that does in a browser what the API does: it signs in by itself and sends its own requests.",
      tag: openApiTags.description,
      access: { kind: "public" },
      // The issuer redirects to this page with a code and further query parameters, so any query is allowed.
      ...(site.signIn === null ? {} : { readQuery: () => ({}) }),
      produces: ["text/html"],
      responses: {
        200: {
          kind: "text",
          description: "The page.",
          mediaTypes: ["text/html"],
          headers: {
            "Cache-Control": "Never kept: it names the newest files.",
            "Content-Security-Policy": "Its own files and requests, and those that sign in at the issuer.",
          },
        },
      },
      handle: async () => ({
        status: 200,
        headers: {
          "Cache-Control": "no-store",
          "Content-Security-Policy": buildContentSecurityPolicy((await site.signIn?.origins()) ?? []),
        },
        body: { kind: "text", contentType: "text/html; charset=utf-8", text: site.page },
      }),
    }),
    defineEndpoint({
      method: "GET",
      path: "/console/{file}",
      operationId: "consoleFile",
      summary: "A file of the console",
      description: "Scripts, styles and pictures of the page.",
      tag: openApiTags.description,
      access: { kind: "public" },
      params: z.object({ file: z.string().meta({ description: "Its name, which changes with its content." }) }),
      // Browsers request style sheets and images with their own Accept headers, so Accept is not checked.
      produces: [],
      responses: {
        200: {
          kind: "text",
          description: "The file.",
          mediaTypes: ["text/javascript", "text/css", "image/svg+xml"],
          headers: { "Cache-Control": "For a year: another content has another name." },
        },
        ...describeProblems({ 404: "There is no such file, or not any more." }),
      },
      async handle({ params }) {
        const file = site.files.get(params["file"] ?? "");
        if (file === undefined) throw new DomainError("not-found", "path-not-found", "The console has no such file.");
        return {
          status: 200,
          headers: fileCacheHeaders,
          body: { kind: "text", contentType: file.contentType, text: file.text },
        };
      },
    }),
  ];
}
