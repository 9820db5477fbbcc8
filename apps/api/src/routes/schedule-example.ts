/** Example in the documentation: a schedule that reports domains whose certificate expires within 30 days. It runs every working day at 06:30 in Amsterdam. */
export const scheduleInputExample = {
  name: "Certificates that expire soon",
  reportType: "PROXY_DOMAIN",
  searchParam: { certNotAfterTo: "now+P30D" },
  options: { format: "xlsx" },
  cron: "30 6 * * 1-5",
  timezone: "Europe/Amsterdam",
};
