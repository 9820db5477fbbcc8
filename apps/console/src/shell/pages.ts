import type { ComponentType } from "preact";
import { ReportPage } from "../reports/report-page.tsx";
import { ReportsPage } from "../reports/reports-page.tsx";
import { StartPage } from "../start/start-page.tsx";
import { startableTypes } from "./session.ts";

/** What a page is given. */
export interface PageProps {
  /** What stands in the path behind the page's own name: the id in `#/reports/ID`. */
  readonly id: string;
}

/** A page of the console. */
export interface Page {
  /** First part of the fragment's path; with `/ID` behind it for the page of one record. */
  readonly path: string;
  /** Of the tab and of the heading that says where one is. */
  readonly title: string;
  /** Its word in the navigation; left out, it is reached from another page. */
  readonly nav?: string;
  /** To whom it is shown; to others it is not there. */
  readonly isShown: () => boolean;
  readonly View: ComponentType<PageProps>;
}

const toEverybody = (): boolean => true;

/** Every page, in the order of the navigation. The first is where one begins. */
export const pages: readonly Page[] = [
  { path: "reports", title: "Reports", nav: "Reports", isShown: toEverybody, View: ReportsPage },
  { path: "reports/ID", title: "Report", isShown: toEverybody, View: ReportPage },
  { path: "new", title: "New report", nav: "New", isShown: () => startableTypes.value.length > 0, View: StartPage },
];

/** The page of a path; undefined where there is none for whoever is signed in. */
export function pageAt(path: readonly string[]): Page | undefined {
  const [name = pages[0]!.path, ...rest] = path;
  const wanted = rest.length === 0 ? name : `${name}/ID`;
  return rest.length > 1 ? undefined : pages.find((page) => page.path === wanted && page.isShown());
}
