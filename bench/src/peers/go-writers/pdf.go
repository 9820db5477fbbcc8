package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-pdf/fpdf"
	"github.com/jackc/pgx/v5"
)

const (
	margin     = 28
	lineHeight = 10
	baseline   = 7
)

// writePdf writes a table with fpdf: embedded font, clipped cells, repeated header, page numbers. The geometry is that of pdfkit-table.ts.
func writePdf(ctx context.Context, connection *pgx.Conn, query, path, font string) error {
	// With the simple protocol, Postgres sends every value as text.
	rows, err := connection.Query(ctx, query, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return err
	}
	defer rows.Close()
	document := fpdf.New("L", "pt", "A4", filepath.Dir(font))
	document.SetAutoPageBreak(false, 0)
	document.AliasNbPages("")
	document.AddUTF8Font("sans", "", filepath.Base(font))
	document.SetFont("sans", "", 6)
	pageWidth, pageHeight := document.GetPageSize()
	columns := rows.FieldDescriptions()
	width := (pageWidth - 2*margin) / float64(len(columns))
	y := 0.0
	write := func(column int, text string) {
		x := margin + float64(column)*width
		document.ClipRect(x, y, width-2, lineHeight, false)
		document.Text(x, y+baseline, text)
		document.ClipEnd()
	}
	addPage := func() {
		document.AddPage()
		document.Text(margin, pageHeight-margin, fmt.Sprintf("page %d of {nb}", document.PageNo()))
		y = margin
		for column, description := range columns {
			write(column, description.Name)
		}
		y += lineHeight
	}
	addPage()
	for rows.Next() {
		if y > pageHeight-40-lineHeight {
			addPage()
		}
		for column, value := range rows.RawValues() {
			if value == nil {
				write(column, "–")
			} else {
				write(column, strings.Map(toBasicPlane, string(value)))
			}
		}
		y += lineHeight
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return document.OutputFileAndClose(path)
}

// toBasicPlane replaces characters after U+FFFF, such as emoji, because fpdf fails at them.
func toBasicPlane(character rune) rune {
	if character > 0xFFFF {
		return '\uFFFD'
	}
	return character
}
