import type { TextForm } from "../query/filters.ts";
import { normaliseHost } from "../query/hostname.ts";
import { countryCodes } from "./proxy-country-codes.ts";

export const proxyNamePattern = /^[a-z0-9-]{1,63}$/;

export const proxyNameTextForm: TextForm = {
  normalise: (text) => (proxyNamePattern.test(text) ? text : null),
  rule: "1 to 63 characters of a-z, 0-9 and -",
};

export const countryCodeTextForm: TextForm = {
  normalise: (text) => (countryCodes.has(text) ? text : null),
  rule: "an ISO 3166-1 alpha-2 code in upper case, such as DE",
};

export const hostTextForm: TextForm = {
  normalise: normaliseHost,
  rule: "a host name or an IP address, such as backend.example.org, 192.0.2.1 or 2001:db8::1",
};
