ALTER TABLE "reports" ADD COLUMN "request_id" text;
