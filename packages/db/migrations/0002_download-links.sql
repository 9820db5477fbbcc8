CREATE TABLE "download_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"report_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "download_links_token_hash_key" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "download_links" ADD CONSTRAINT "download_links_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "download_links_report_id_index" ON "download_links" USING btree ("report_id");--> statement-breakpoint
CREATE INDEX "download_links_created_by_index" ON "download_links" USING btree ("created_by","expires_at");--> statement-breakpoint
CREATE INDEX "download_links_expires_at_index" ON "download_links" USING btree ("expires_at");