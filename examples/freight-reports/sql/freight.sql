-- Tables of a carrier, with generated data, and the relations from which its reports read.
-- psql --variable rows=1000000 makes more shipments, and --variable last_day=2026-11-26 the same ones on every day.
\set ON_ERROR_STOP on
\if :{?rows}
\else
  \set rows 20000
\endif
\if :{?last_day}
\else
  SELECT (now() AT TIME ZONE 'Europe/Berlin')::date AS last_day \gset
\endif

SET client_min_messages = warning;
BEGIN;
DROP SCHEMA IF EXISTS freight CASCADE;
CREATE SCHEMA freight;

-- The day of the carrier, whose head office is in Berlin. It is the same in sessions of every time zone.
CREATE FUNCTION freight.today() RETURNS date
  LANGUAGE sql STABLE
  RETURN (now() AT TIME ZONE 'Europe/Berlin')::date;

-- A number from 0 to 1 that depends on its arguments only, so that every run generates the same data.
CREATE FUNCTION freight.roll(n bigint, purpose text) RETURNS double precision
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ('x' || left(md5(n || purpose), 8))::bit(32)::bigint / 4294967296.0;

CREATE TABLE freight.depots (
  code     text PRIMARY KEY,
  name     text NOT NULL,
  country  text NOT NULL,
  currency text NOT NULL,
  timezone text NOT NULL,
  cut_off  time NOT NULL
);

INSERT INTO freight.depots VALUES
  ('AMS', 'Amsterdam Westpoort', 'NL', 'EUR', 'Europe/Amsterdam', '17:30'),
  ('BER', 'Berlin Großbeeren', 'DE', 'EUR', 'Europe/Berlin', '18:00'),
  ('GDN', 'Gdańsk Port', 'PL', 'PLN', 'Europe/Warsaw', '16:30'),
  ('GOT', 'Göteborg Arendal', 'SE', 'SEK', 'Europe/Stockholm', '16:00'),
  ('HAM', 'Hamburg Altenwerder', 'DE', 'EUR', 'Europe/Berlin', '18:30'),
  ('LYS', 'Lyon Saint-Priest', 'FR', 'EUR', 'Europe/Paris', '17:00'),
  ('MAN', 'Manchester Trafford', 'GB', 'GBP', 'Europe/London', '17:30'),
  ('PRG', 'Praha Jažlovice', 'CZ', 'CZK', 'Europe/Prague', '17:00'),
  ('WAW', 'Warszawa Pruszków', 'PL', 'PLN', 'Europe/Warsaw', '18:00'),
  ('ZRH', 'Zürich Spreitenbach', 'CH', 'CHF', 'Europe/Zurich', '16:45');

CREATE TABLE freight.customers (
  customer_id integer PRIMARY KEY,
  name        text NOT NULL,
  city        text NOT NULL
);

INSERT INTO freight.customers
SELECT n + 1,
       format('%s %s', owner, trade),
       (ARRAY['Antwerpen', 'Bologna', 'Brno', 'Kraków', 'Malmö', 'München', 'Nantes', 'Nottingham', 'Rotterdam', 'Winterthur'])[1 + n * 7 % 10]
FROM generate_series(0, 47) AS n,
     LATERAL (SELECT (ARRAY['Andersson', 'Brunner', 'Dupont & Fils', 'Łukasik', 'O''Neill', 'Müller & Söhne', 'Novák', 'Van Dijk'])[1 + n % 8] AS owner,
                     (ARRAY['Ceramics', 'Foods', 'Instruments', 'Medical', 'Paper', 'Tools'])[1 + n / 8] AS trade) AS names;

CREATE TABLE freight.shipments (
  shipment_id    bigint PRIMARY KEY,
  tracking_no    text NOT NULL UNIQUE,
  customer_id    integer NOT NULL REFERENCES freight.customers,
  depot          text NOT NULL REFERENCES freight.depots,
  service        text NOT NULL,
  consignee_city text NOT NULL,
  picked_up_on   date NOT NULL,
  promised_on    date NOT NULL,
  delivered_at   timestamptz,
  problem        text,
  damaged        boolean,
  weight_kg      numeric(9, 2) NOT NULL,
  distance_km    integer NOT NULL,
  load_factor    numeric(5, 4) NOT NULL,
  charge         numeric(12, 2) NOT NULL,
  fuel_surcharge numeric(12, 2) NOT NULL,
  proof_bytes    bigint,
  labels         text[] NOT NULL
);

INSERT INTO freight.shipments
SELECT n,
       format('FR-%s-%s', upper(left(md5('tracking' || n), 4)), lpad(n::text, 7, '0')),
       1 + floor(48 * power(freight.roll(n, 'customer'), 2)),
       depots.code,
       service,
       (ARRAY['Aarhus', 'Bilbao', 'Bruxelles', 'Dublin', 'Graz', 'Kaunas', 'Kiel', 'Lille', 'Liège', 'Oslo', 'Porto', 'Poznań', 'Rennes', 'Torino', 'Wrocław'])
         [1 + floor(15 * freight.roll(n, 'city'))],
       picked_up_on,
       promised_on,
       CASE WHEN delivered_on < :'last_day'::date AND problem IS NULL
            THEN (delivered_on + make_interval(hours => 7, mins => floor(660 * freight.roll(n, 'hour'))::integer)) AT TIME ZONE depots.timezone END,
       problem,
       -- Nobody has inspected the goods of most shipments.
       CASE WHEN freight.roll(n, 'inspected') < 0.4 THEN freight.roll(n, 'damaged') < 0.06 END,
       weight_kg,
       distance_km,
       round((0.35 + 0.65 * sqrt(freight.roll(n, 'load')))::numeric, 4),
       round((12 + distance_km * 0.08 + weight_kg * 0.21)::numeric
             * CASE depots.currency WHEN 'PLN' THEN 4.3 WHEN 'SEK' THEN 11.2 WHEN 'GBP' THEN 0.85 WHEN 'CZK' THEN 24.8 WHEN 'CHF' THEN 0.95 ELSE 1 END, 2),
       round(distance_km * 0.021, 2),
       CASE WHEN delivered_on < :'last_day'::date AND problem IS NULL THEN floor(60000 + 900000 * freight.roll(n, 'proof')) END,
       array_remove(ARRAY[CASE WHEN freight.roll(n, 'chilled') < 0.12 THEN 'chilled' END,
                          CASE WHEN freight.roll(n, 'fragile') < 0.18 THEN 'fragile' END,
                          CASE WHEN freight.roll(n, 'hazard') < 0.04 THEN 'dangerous goods' END], NULL)
FROM generate_series(1, :rows) AS n
JOIN LATERAL (SELECT *, row_number() OVER (ORDER BY code) - 1 AS place FROM freight.depots) AS depots ON place = floor(10 * freight.roll(n, 'depot'))
CROSS JOIN LATERAL (SELECT (ARRAY['ECONOMY', 'STANDARD', 'STANDARD', 'EXPRESS'])[1 + floor(4 * freight.roll(n, 'service'))] AS service,
                           :'last_day'::date - floor(420 * freight.roll(n, 'day'))::integer AS picked_up_on,
                           round((0.4 + 900 * power(freight.roll(n, 'weight'), 4))::numeric, 2) AS weight_kg,
                           (60 + floor(1800 * freight.roll(n, 'distance')))::integer AS distance_km) AS booked
CROSS JOIN LATERAL (SELECT picked_up_on + CASE service WHEN 'EXPRESS' THEN 1 WHEN 'STANDARD' THEN 3 ELSE 6 END AS promised_on) AS promise
CROSS JOIN LATERAL (SELECT promised_on + floor(9 * power(freight.roll(n, 'late'), 8))::integer AS delivered_on,
                           CASE WHEN freight.roll(n, 'problem') < 0.002 THEN 'LOST'
                                WHEN freight.roll(n, 'problem') < 0.04 AND promised_on > :'last_day'::date - 12 THEN 'HELD' END AS problem) AS arrival;

CREATE INDEX ON freight.shipments (picked_up_on);
ANALYZE freight.shipments;

-- One row per shipment. Texts that are words for people are in the report type, so the view has codes.
CREATE VIEW freight.shipment_report AS
SELECT shipments.*,
       customers.name AS customer,
       depots.name AS depot_name,
       depots.currency,
       'https://track.freight.example/' || tracking_no AS tracking_url,
       state,
       array_position(ARRAY['LOST', 'LATE', 'HELD', 'MOVING', 'DELIVERED'], state) AS state_rank,
       CASE WHEN state <> 'LOST' THEN greatest(coalesce((delivered_at AT TIME ZONE depots.timezone)::date, freight.today()) - promised_on, 0) END AS days_late,
       round(weight_kg * distance_km * 0.000097, 3) AS co2_kg,
       depots.cut_off,
       delivered_at - (picked_up_on + depots.cut_off) AT TIME ZONE depots.timezone AS in_transit
FROM freight.shipments
JOIN freight.customers USING (customer_id)
JOIN freight.depots ON depots.code = shipments.depot
CROSS JOIN LATERAL (SELECT CASE WHEN delivered_at IS NOT NULL THEN 'DELIVERED'
                                WHEN problem IS NOT NULL THEN problem
                                WHEN promised_on < freight.today() THEN 'LATE'
                                ELSE 'MOVING' END AS state) AS states;

-- The load of each depot in the evening of a day: one row per depot and service.
CREATE FUNCTION freight.depot_load(as_of date)
RETURNS TABLE (load_id text, depot text, depot_name text, country text, service text, shipments integer, late integer, late_share numeric,
               weight_kg numeric, oldest_on date, charges numeric, currency text)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT depots.code || '-' || service, depots.code, depots.name, depots.country, service, count(*)::integer,
         (count(*) FILTER (WHERE promised_on < as_of))::integer,
         round(count(*) FILTER (WHERE promised_on < as_of) / count(*)::numeric, 4),
         sum(shipments.weight_kg), min(picked_up_on), sum(charge), depots.currency
  FROM freight.shipments
  JOIN freight.depots ON depots.code = shipments.depot
  WHERE picked_up_on <= as_of
    AND problem IS DISTINCT FROM 'LOST'
    AND (delivered_at IS NULL OR (delivered_at AT TIME ZONE depots.timezone)::date > as_of)
  GROUP BY depots.code, service;
END;
COMMIT;
