/**
 * What every answer tells browsers: take the media type as it is, run nothing of it, show it in no frame, lend it to no other site,
 * tell nobody where it came from, and list it nowhere. An endpoint that shows a page relaxes what it must by headers of its own. There are no
 * Access-Control headers: pages of other sites read nothing.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "none",
};
