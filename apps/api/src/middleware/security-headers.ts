/**
 * Headers of every response, unless an endpoint with pages relaxes them. They tell the browser to trust the media type, run no script, allow no
 * frames and send no referrer. They tell search engines not to list the page. Pages of other sites cannot read responses, except pages of
 * CORS_ORIGINS (cors.ts).
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "none",
};
