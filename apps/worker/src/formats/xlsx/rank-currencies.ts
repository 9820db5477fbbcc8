import type { Aggregate, Condition, ReportTypeDefinition } from "@reports/core/report";

/** The most traded currencies, according to the survey of the Bank for International Settlements in 2022. */
const mostTraded =
  "USD EUR JPY GBP CNY AUD CAD CHF HKD SGD SEK KRW NOK NZD INR MXN TWD ZAR BRL DKK PLN THB ILS IDR CZK AED TRY HUF CLP SAR PHP MYR COP RUB RON PEN".split(
    " ",
  );

export function rankCurrencies(definition: ReportTypeDefinition): readonly string[] {
  const { columns, filters } = definition;
  const keys = new Set(columns.flatMap(({ currency }) => (typeof currency === "object" ? [currency.column] : [])));
  const chosen = conditionsOf(definition).flatMap((condition) =>
    keys.has(condition.column) ? (condition.in ?? []) : [],
  );
  const named = new Set([
    ...filters.flatMap((filter) => (filter.columns.some((key) => keys.has(key)) ? (filter.values ?? []) : [])),
    ...columns.flatMap(({ key, titles = {} }) => (keys.has(key) ? Object.keys(titles) : [])),
  ]);
  const known = Intl.supportedValuesOf("currency");
  const ranked = new Set([
    ...chosen,
    ...mostTraded.filter((code) => named.has(code)),
    ...named,
    ...mostTraded,
    ...known,
  ]);
  const isKnown = new Set(known);
  return [...ranked].filter((code) => isKnown.has(code));
}

function conditionsOf({ where, summary }: ReportTypeDefinition): readonly Condition[] {
  const { figures, charts, attention } = summary;
  const charted = charts.flatMap(({ categories, series = [], measure }) => [
    ...("parts" in categories ? categories.parts : []).map((part) => part.where),
    ...series.map((part) => part.where),
    ...conditionsOfAggregate(measure),
  ]);
  const counted = figures.flatMap(({ aggregate }) => conditionsOfAggregate(aggregate));
  return [...where, ...counted, ...charted, ...(attention === undefined ? [] : [attention.where])];
}

function conditionsOfAggregate(aggregate: Aggregate): readonly Condition[] {
  return "where" in aggregate && aggregate.where !== undefined ? [aggregate.where] : [];
}
