export const scheduleInputExample = {
  name: "Certificates that expire soon",
  reportType: "PROXY_DOMAIN",
  searchParam: { certNotAfterTo: "now+P30D" },
  options: { format: "xlsx" },
  cron: "30 6 * * 1-5",
  timezone: "Europe/Amsterdam",
};
