package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/xuri/excelize/v2"
)

// writeXlsx writes a sheet of typed cells under a bold header, with the stream writer of excelize.
func writeXlsx(ctx context.Context, connection *pgx.Conn, query, path string) error {
	book := excelize.NewFile()
	defer book.Close()
	bold, err := book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return err
	}
	timeFormat := "yyyy-mm-dd hh:mm:ss"
	timestamp, err := book.NewStyle(&excelize.Style{CustomNumFmt: &timeFormat})
	if err != nil {
		return err
	}
	sheet, err := book.NewStreamWriter("Sheet1")
	if err != nil {
		return err
	}
	rows, err := connection.Query(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns := rows.FieldDescriptions()
	header := make([]any, len(columns))
	for at, column := range columns {
		header[at] = excelize.Cell{StyleID: bold, Value: column.Name}
	}
	if err := sheet.SetColWidth(1, len(columns), 20); err != nil {
		return err
	}
	panes := excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}
	if err := sheet.SetPanes(&panes); err != nil {
		return err
	}
	if err := sheet.SetRow("A1", header); err != nil {
		return err
	}
	for row := 2; rows.Next(); row++ {
		values, err := rows.Values()
		if err != nil {
			return err
		}
		for at, value := range values {
			if values[at], err = cellOf(value, timestamp); err != nil {
				return err
			}
		}
		if err := sheet.SetRow("A"+strconv.Itoa(row), values); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if err := sheet.Flush(); err != nil {
		return err
	}
	return book.SaveAs(path)
}

func cellOf(value any, timestamp int) (any, error) {
	switch value := value.(type) {
	case time.Time:
		return excelize.Cell{StyleID: timestamp, Value: value.UTC()}, nil
	case pgtype.Numeric:
		number, err := value.Float64Value()
		return number.Float64, err
	case []any:
		texts := make([]string, len(value))
		for at, element := range value {
			texts[at] = fmt.Sprint(element)
		}
		return strings.Join(texts, "; "), nil
	}
	return value, nil
}
