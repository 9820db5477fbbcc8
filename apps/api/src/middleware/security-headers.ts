/**
 * Tell browsers to trust the media type, run no script, forbid frames and use by other sites, and send no referrer. Keep responses out of search
 * engines. Endpoints with pages relax them. Pages of other sites cannot read responses, except those of CORS_ORIGINS (cors.ts).
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "none",
};
