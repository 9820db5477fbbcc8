// Command go-writers writes the rows of a query as csv, xlsx or pdf. Arguments: format, database URL, query file, path, and the font of a pdf.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"
)

const bufferBytes = 256 * 1024

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) error {
	if len(arguments) != 5 {
		return fmt.Errorf("usage: go-writers csv|xlsx|pdf URL QUERY_FILE PATH FONT")
	}
	format, url, queryFile, path, font := arguments[0], arguments[1], arguments[2], arguments[3], arguments[4]
	query, err := os.ReadFile(queryFile)
	if err != nil {
		return err
	}
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return err
	}
	config.RuntimeParams["timezone"] = "UTC"
	connection, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer connection.Close(ctx)
	switch format {
	case "csv":
		return writeCsv(ctx, connection, string(query), path)
	case "xlsx":
		return writeXlsx(ctx, connection, string(query), path)
	case "pdf":
		return writePdf(ctx, connection, string(query), path, font)
	}
	return fmt.Errorf("unknown format: %s", format)
}

func writeCsv(ctx context.Context, connection *pgx.Conn, query, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	writer := bufio.NewWriterSize(file, bufferBytes)
	if _, err := connection.PgConn().CopyTo(ctx, writer, "copy ("+query+") to stdout (format csv)"); err != nil {
		return err
	}
	return writer.Flush()
}
