import type { ComponentType } from "preact";
import { QueuePage } from "../queue/queue-page.tsx";
import { CertificatesPage } from "../inventory/certificates-page.tsx";
import { DomainPage } from "../inventory/domain-page.tsx";
import { DomainsPage } from "../inventory/domains-page.tsx";
import { ProxiesPage } from "../inventory/proxies-page.tsx";
import { ProxyPage } from "../inventory/proxy-page.tsx";
import { ReportPage } from "../reports/report-page.tsx";
import { ReportsPage } from "../reports/reports-page.tsx";
import { ScheduleFormPage } from "../schedules/schedule-form-page.tsx";
import { SchedulePage } from "../schedules/schedule-page.tsx";
import { SchedulesPage } from "../schedules/schedules-page.tsx";
import { StartPage } from "../start/start-page.tsx";
import { WebhookFormPage } from "../webhooks/webhook-form-page.tsx";
import { WebhookPage } from "../webhooks/webhook-page.tsx";
import { WebhooksPage } from "../webhooks/webhooks-page.tsx";
import { REGISTRY_READ, REPORTS_ADMIN } from "./authorities.ts";
import type { PageProps } from "./page-props.ts";
import { hasAuthority, session, listStartableTypes } from "./session.ts";

export interface ConsolePage {
  readonly path: string;
  readonly title: string;
  readonly nav?: string;
  /** The route whose navigation label is highlighted while this page is shown. Default: the first segment of this page's route. */
  readonly under?: string;
  readonly isShown: () => boolean;
  readonly View: ComponentType<PageProps>;
}

const isAlwaysShown = (): boolean => true;
const mayReadInventory = (): boolean => hasAuthority(REGISTRY_READ);
const mayStartReports = (): boolean => listStartableTypes().length > 0;
const hasSchedules = (): boolean => session.value?.capabilities.schedules === true;
const hasWebhooks = (): boolean => session.value?.capabilities.webhooks === true;
const inventoryPageProps = { isShown: mayReadInventory, under: "proxies" };

/** All pages, in the order of the navigation. The first page is the start page. */
export const consolePages: readonly ConsolePage[] = [
  { path: "reports", title: "Reports", nav: "Reports", isShown: isAlwaysShown, View: ReportsPage },
  { path: "reports/ID", title: "Report", isShown: isAlwaysShown, View: ReportPage },
  { path: "new", title: "New report", nav: "New", isShown: mayStartReports, View: StartPage },
  { path: "schedules", title: "Schedules", nav: "Schedules", isShown: hasSchedules, View: SchedulesPage },
  { path: "schedules/ID", title: "Schedule", isShown: hasSchedules, View: SchedulePage },
  { path: "schedule", title: "Schedule form", under: "schedules", isShown: hasSchedules, View: ScheduleFormPage },
  { path: "proxies", title: "Proxies", nav: "Register", isShown: mayReadInventory, View: ProxiesPage },
  { path: "proxies/ID", title: "Proxy", isShown: mayReadInventory, View: ProxyPage },
  { path: "domains", title: "Domains", ...inventoryPageProps, View: DomainsPage },
  { path: "domains/ID", title: "Domain", ...inventoryPageProps, View: DomainPage },
  { path: "certificates", title: "Certificates", ...inventoryPageProps, View: CertificatesPage },
  { path: "webhooks", title: "Webhooks", nav: "Webhooks", isShown: hasWebhooks, View: WebhooksPage },
  { path: "webhooks/ID", title: "Webhook", isShown: hasWebhooks, View: WebhookPage },
  { path: "webhook", title: "Webhook form", under: "webhooks", isShown: hasWebhooks, View: WebhookFormPage },
  { path: "queue", title: "Queue", nav: "Queue", isShown: () => hasAuthority(REPORTS_ADMIN), View: QueuePage },
];

export function findConsolePage(path: readonly string[]): ConsolePage | undefined {
  const [name = consolePages[0]!.path, ...rest] = path;
  const wanted = rest.length === 0 ? name : `${name}/ID`;
  return rest.length > 1 ? undefined : consolePages.find((page) => page.path === wanted && page.isShown());
}
