"""Calls the API with the client that openapi-python-client generates: token, list, start, wait, download, digest."""

import hashlib
import os
from uuid import UUID

import httpx
from generated.python.api.proxies import list_proxies
from generated.python.api.reports import create_report, read_report
from generated.python.api.tokens import create_token
from generated.python.client import AuthenticatedClient
from generated.python.models import (
    Problem,
    ProxyKind,
    ProxyReportColumn,
    ProxyReportStart,
    ProxyReportStartReportType,
    ProxySearchParam,
    Report,
    ReportFile,
    ReportFormat,
    ReportStatus,
    StartedReport,
    Token,
)


def expect(value, wanted, what):
    """Returns the value. Fails unless it has the given type, or equals the wanted value."""
    is_right = isinstance(value, wanted) if isinstance(wanted, type) else value == wanted
    if not is_right:
        raise SystemExit(f"{what} is {value!r} and should be {wanted!r}.")
    return value


base_url = os.environ["API_URL"]
basic = AuthenticatedClient(base_url=base_url, token=os.environ["API_CREDENTIALS"], prefix="Basic")
token = expect(create_token.sync(client=basic), Token, "The token")
# Longer than the longest wait that the requests below ask for.
client = AuthenticatedClient(base_url=base_url, token=token.access_token).with_timeout(httpx.Timeout(60))

proxies = expect(list_proxies.sync(client=client, kind=[ProxyKind.REVERSE], limit=5), list, "The list")
expect(proxies[0].kind, ProxyKind.REVERSE, "The kind")

missing = read_report.sync(UUID("018f0000-0000-7000-8000-000000000000"), client=client)
expect(expect(missing, Problem, "The answer of no report").code, "report-not-found", "The problem")

# A filter takes a list, or a single value instead of a list of one.
wanted = ProxySearchParam(kind=[ProxyKind.REVERSE, ProxyKind.FORWARD], port=443)
start = ProxyReportStart(
    report_type=ProxyReportStartReportType.PROXY,
    format_=ReportFormat.CSV,
    search_param=wanted,
    columns=[ProxyReportColumn.NAME, ProxyReportColumn.HEALTH],
)
started = expect(create_report.sync(client=client, body=start), StartedReport, "The start")
report = expect(read_report.sync(started.id, client=client, prefer="wait=30"), Report, "The report")
expect(report.status, ReportStatus.SUCCEEDED, "The state")
expect(report.search_param.additional_properties["port"], [443], "The normalised filter")
file = expect(report.file, ReportFile, "The file")

# The generated download functions read the file as text, because text/csv is among the media types.
download = client.get_httpx_client().get(f"/v1/reports/{report.id}/files/{file.id}")
expect(download.status_code, 200, "The download's status")
expect(hashlib.sha256(download.content).hexdigest(), file.sha256, "The digest")
