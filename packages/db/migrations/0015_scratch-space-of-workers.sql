ALTER TABLE "reports" ADD COLUMN "spool_exceeded_bytes" bigint;--> statement-breakpoint
ALTER TABLE "worker_heartbeats" ADD COLUMN "spool_bytes" bigint;