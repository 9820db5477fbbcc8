CREATE TABLE "store_markers" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"adopted_at" timestamp (3) with time zone,
	CONSTRAINT "store_markers_is_only_check" CHECK ("store_markers"."is_only")
);
