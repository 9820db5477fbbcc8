// Calls the API with the client that oapi-codegen generates: token, list, start, wait, download, digest.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"

	"example.com/smoke/gateway"
)

// expect ends the program unless both values are the same.
func expect[T comparable](actual, wanted T, what string) {
	if actual != wanted {
		fmt.Fprintf(os.Stderr, "%s is %v and should be %v.\n", what, actual, wanted)
		os.Exit(1)
	}
}

// must returns the value, and ends the program with the error if there is one.
func must[T any](value T, err error) T {
	expect(err, nil, "The error")
	return value
}

func main() {
	ctx := context.Background()
	authorization := "Basic " + os.Getenv("API_CREDENTIALS")
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", authorization)
		return nil
	}
	client := must(gateway.NewClientWithResponses(os.Getenv("API_URL"), gateway.WithRequestEditorFn(authorize)))

	token := must(client.CreateTokenWithResponse(ctx))
	expect(token.StatusCode(), 201, "The token's status")
	authorization = "Bearer " + token.JSON201.AccessToken

	limit := 5
	list := must(client.ListProxiesWithResponse(ctx, &gateway.ListProxiesParams{
		Kind: &[]gateway.ProxyKind{"REVERSE"}, Limit: &limit,
	}))
	expect(list.StatusCode(), 200, "The list's status")
	expect((*list.JSON200)[0].Kind, gateway.ProxyKind("REVERSE"), "The kind")

	var missing [16]byte
	missing[0] = 1
	problem := must(client.ReadReportWithResponse(ctx, missing, nil))
	expect(problem.ApplicationproblemJSON404.Code, "report-not-found", "The problem")

	// From… fills a field with alternatives. A filter takes a list, or a single value instead of a list of one.
	var kind gateway.ProxySearchParam_Kind
	expect(kind.FromProxyKindList(gateway.ProxyKindList{"REVERSE", "FORWARD"}), nil, "The error")
	var filters gateway.ProxyReportStart_SearchParam
	expect(filters.FromProxySearchParam(gateway.ProxySearchParam{Kind: &kind}), nil, "The error")
	format := gateway.ReportFormat("csv")
	var start gateway.ReportStart
	expect(start.FromProxyReportStart(gateway.ProxyReportStart{
		ReportType:  "PROXY",
		Format:      &format,
		SearchParam: &filters,
		Columns:     &[]gateway.ProxyReportColumn{"name", "health"},
	}), nil, "The error")
	started := must(client.CreateReportWithResponse(ctx, nil, start))
	expect(started.StatusCode(), 202, "The start's status")

	prefer := "wait=30"
	ended := must(client.ReadReportWithResponse(ctx, started.JSON202.Id, &gateway.ReadReportParams{Prefer: &prefer}))
	expect(ended.StatusCode(), 200, "The report's status")
	expect(ended.JSON200.Status, gateway.ReportStatus("SUCCEEDED"), "The state")

	file := ended.JSON200.File
	download := must(client.DownloadReportFileWithResponse(ctx, started.JSON202.Id, file.Id, nil))
	expect(download.StatusCode(), 200, "The download's status")
	digest := sha256.Sum256(download.Body)
	expect(hex.EncodeToString(digest[:]), file.Sha256, "The digest")
}
