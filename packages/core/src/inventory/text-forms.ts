import type { TextForm } from "../query/filters.ts";
import { normaliseHost } from "../query/hostname.ts";

export const proxyNamePattern = /^[a-z0-9-]{1,63}$/;

export const proxyNameTextForm: TextForm = {
  normalise: (text) => (proxyNamePattern.test(text) ? text : null),
  rule: "1 to 63 characters of a-z, 0-9 and -",
};

const countryCodes: ReadonlySet<string> = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
    "GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP " +
    "KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT " +
    "MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW " +
    "SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ " +
    "UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
  ).split(" "),
);

export const countryCodeTextForm: TextForm = {
  normalise: (text) => (countryCodes.has(text) ? text : null),
  rule: "an ISO 3166-1 alpha-2 code in upper case, such as DE",
};

export const hostTextForm: TextForm = {
  normalise: normaliseHost,
  rule: "a host name or an IP address, such as backend.example.org, 192.0.2.1 or 2001:db8::1",
};
