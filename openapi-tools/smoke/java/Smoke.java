// Calls the API with the client that openapi-generator generates for Java: token, start, wait, download, digest.
import java.nio.file.Files;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ReportsApi;
import org.openapitools.client.api.TokensApi;
import org.openapitools.client.model.*;

public class Smoke {
  private static void expect(Object actual, Object wanted, String what) {
    if (actual.equals(wanted)) return;
    throw new AssertionError(what + " is " + actual + " and should be " + wanted + ".");
  }

  private static ApiClient clientWith(String authorization) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("API_URL"));
    return client.setRequestInterceptor(request -> request.setHeader("Authorization", authorization));
  }

  public static void main(String[] args) throws Exception {
    Token token = new TokensApi(clientWith("Basic " + System.getenv("API_CREDENTIALS"))).createToken();
    ReportsApi reports = new ReportsApi(clientWith("Bearer " + token.getAccessToken()));

    try {
      reports.readReport(UUID.fromString("018f0000-0000-7000-8000-000000000000"), null, null, null);
      throw new AssertionError("A report that does not exist was found.");
    } catch (ApiException problem) {
      expect(problem.getCode(), 404, "The problem");
    }

    ProxyKindList kinds = new ProxyKindList();
    kinds.addAll(List.of(ProxyKind.REVERSE, ProxyKind.FORWARD));
    ProxySearchParam filters = new ProxySearchParam().kind(new ProxySearchParamKind(kinds));
    ProxyReportStart start = new ProxyReportStart()
        .reportType(ProxyReportStart.ReportTypeEnum.PROXY)
        .format(ReportFormat.CSV)
        .searchParam(new ProxyReportStartSearchParam(filters))
        .columns(Set.of(ProxyReportColumn.NAME, ProxyReportColumn.HEALTH));
    StartedReport started = reports.createReport(new ReportStart(start), null, null);
    Report report = reports.readReport(started.getId(), null, null, "wait=30");
    expect(report.getStatus(), ReportStatus.SUCCEEDED, "The state");

    ReportFile file = report.getFile();
    var path = reports.downloadReportFile(report.getId(), file.getId(), null, null, null, null, null, null).toPath();
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(path));
    expect(HexFormat.of().formatHex(digest), file.getSha256(), "The digest");
  }
}
