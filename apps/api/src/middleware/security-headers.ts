/**
 * Headers of every response, unless an endpoint with pages relaxes them: trust the media type, run no script, allow no frames, send no referrer,
 * stay out of search engines. Pages of other sites cannot read responses, except those of CORS_ORIGINS (cors.ts).
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "none",
};
