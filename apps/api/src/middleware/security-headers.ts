/**
 * Tells browsers to trust the media type, run nothing, show it in no frame, share it with no site, send no referrer, and list it nowhere.
 * Endpoints with pages relax it. There are no Access-Control headers: pages of other sites read nothing.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "none",
};
