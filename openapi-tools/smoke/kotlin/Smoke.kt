// Calls the API with the client that openapi-generator generates for Kotlin: token, list, start, wait, download, digest.
import java.security.MessageDigest
import java.time.Duration
import java.util.Base64
import java.util.UUID
import kotlin.system.exitProcess
import org.openapitools.client.apis.ProxiesApi
import org.openapitools.client.apis.ReportsApi
import org.openapitools.client.apis.TokensApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.models.ProxyKind
import org.openapitools.client.models.ReportStatus

fun expect(actual: Any?, wanted: Any?, what: String) {
    if (actual == wanted) return
    System.err.println("$what is $actual and should be $wanted.")
    exitProcess(1)
}

fun main() {
    val url = System.getenv("API_URL")
    val (name, password) = String(Base64.getDecoder().decode(System.getenv("API_CREDENTIALS"))).split(":", limit = 2)
    ApiClient.username = name
    ApiClient.password = password
    // Longer than the longest wait that the requests below ask for.
    val http = ApiClient.builder.readTimeout(Duration.ofSeconds(60)).build()
    ApiClient.accessToken = TokensApi(url, http).createToken().accessToken

    val proxies = ProxiesApi(url, http).listProxies(kind = listOf(ProxyKind.REVERSE), limit = 5)
    expect(proxies.first().kind, ProxyKind.REVERSE, "The kind")

    val reports = ReportsApi(url, http)
    try {
        reports.readReport(UUID.fromString("018f0000-0000-7000-8000-000000000000"))
        expect("found", "missing", "The report")
    } catch (problem: ClientException) {
        expect(problem.statusCode, 404, "The problem")
    }

    // A request body with alternatives is a map in this client.
    val start = mapOf(
        "reportType" to "PROXY",
        "format" to "csv",
        "searchParam" to mapOf("kind" to listOf("REVERSE", "FORWARD"), "port" to 443),
        "columns" to listOf("name", "health"),
    )
    val started = reports.createReport(start)
    val report = reports.readReport(started.id, prefer = "wait=30")
    expect(report.status, ReportStatus.SUCCEEDED, "The state")
    expect(report.searchParam["kind"], listOf("FORWARD", "REVERSE"), "The normalised filter")

    val file = report.file!!
    // The generated download functions accept only JSON.
    val anyType = http.newBuilder().addInterceptor { chain ->
        chain.proceed(chain.request().newBuilder().header("Accept", "*/*").build())
    }
    val bytes = ReportsApi(url, anyType.build()).downloadReportFile(report.id, file.id).readBytes()
    val digest = MessageDigest.getInstance("SHA-256").digest(bytes).joinToString("") { "%02x".format(it) }
    expect(digest, file.sha256, "The digest")
    exitProcess(0)
}
