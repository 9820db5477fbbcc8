-- The table of the billing app, and the view from which reports read. The view computes the derived values: state and days overdue.
CREATE SCHEMA IF NOT EXISTS billing;

CREATE TABLE IF NOT EXISTS billing.invoices (
  invoice_id bigint PRIMARY KEY,
  invoice_no text NOT NULL UNIQUE,
  customer   text NOT NULL,
  region     text NOT NULL,
  amount     numeric(12, 2) NOT NULL,
  issued_on  date NOT NULL,
  due_on     date NOT NULL,
  paid_at    timestamptz,
  labels     text[] NOT NULL DEFAULT '{}',
  scan_bytes bigint,
  deleted_at timestamptz
);

INSERT INTO billing.invoices
SELECT n,
       'INV-' || lpad(n::text, 6, '0'),
       (ARRAY['Müller & Söhne', 'Acme, Inc.', '=Formula Ltd', 'Zażółć gęślą', 'Globex'])[1 + n % 5],
       (ARRAY['EMEA', 'APAC', 'AMER'])[1 + n % 3],
       round(10 + n * 1.37, 2),
       current_date - 60 - n % 90,
       current_date - 30 + n % 60,
       CASE WHEN n % 4 = 0 THEN now() - make_interval(days => n % 30) END,
       CASE WHEN n % 10 = 0 THEN ARRAY['disputed', 'legal'] WHEN n % 10 = 5 THEN ARRAY['disputed'] ELSE '{}' END,
       n * 48211,
       CASE WHEN n % 100 = 99 THEN now() END
FROM generate_series(1, 2000) AS n
ON CONFLICT DO NOTHING;

CREATE OR REPLACE VIEW billing.invoice_report AS
SELECT *,
       CASE WHEN paid_at IS NOT NULL THEN 'PAID' WHEN due_on < current_date THEN 'OVERDUE' ELSE 'OPEN' END AS state,
       CASE WHEN paid_at IS NOT NULL THEN 3 WHEN due_on < current_date THEN 1 ELSE 2 END AS state_rank,
       CASE WHEN paid_at IS NULL THEN greatest(current_date - due_on, 0) END AS days_overdue
FROM billing.invoices;
