import { PermanentReportError, StoreUnavailableError } from "@reports/core/report-type";

/**
 * The stock of one article in one warehouse, as the warehouse service returns it. It is a type, because an interface is not assignable to ObjectRow.
 */
export type Stock = {
  readonly article: string;
  readonly warehouse: string;
  readonly onHand: number;
  readonly reserved: number;
  readonly unitPrice: string;
  readonly countedAt: Date;
  readonly tags: readonly string[];
};

export const warehouses = ["BERLIN", "OSLO", "PORTO"] as const;

const articles = ["Bolt M8", "Nut M8", "Washer, flat", "Hinge", "Spring 3 mm", "Bearing"];

/** Stands for a client of the warehouse service. The class of its error decides whether a report fails or is retried. */
export async function* readStock(
  { warehouse, q }: { readonly warehouse: readonly string[]; readonly q: string },
  signal: AbortSignal,
): AsyncGenerator<Stock> {
  for (const name of warehouse) {
    if (name === "CLOSED") {
      // PermanentReportError ends the report, because a retry cannot help. The requester sees the message.
      throw new PermanentReportError("INVALID_DATA", "The warehouse CLOSED was given up, and its stock is not known.");
    }
    if (name === "MOVING") {
      // StoreUnavailableError postpones the report, because the warehouse will respond later. The attempt does not count as a failure.
      throw new StoreUnavailableError("The warehouse MOVING does not answer while it moves.");
    }
    signal.throwIfAborted();
    for (let index = 0; index < 200; index++) {
      const article = `${articles[index % articles.length]} ${index}`;
      if (article.toLowerCase().includes(q.toLowerCase())) yield stockOf(article, name, index);
    }
  }
}

function stockOf(article: string, warehouse: string, index: number): Stock {
  return {
    article,
    warehouse,
    onHand: (index * 37) % 500,
    reserved: index % 50,
    unitPrice: `${index % 20}.${String(index % 100).padStart(2, "0")}`,
    countedAt: new Date(Date.UTC(2026, 0, 1 + (index % 28), 12)),
    tags: index % 7 === 0 ? ["fragile"] : [],
  };
}
