{{- define "gateway.labels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{- define "gateway.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "gateway.image" -}}
{{- if not (or .digest .tag) }}{{ fail (printf "The image %s needs a digest or a tag." .repository) }}{{ end }}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag }}{{ end }}
{{- end }}

{{- /* Kubernetes' own rule, which it applies to what is new alone: a Deployment keeps the policy of the image that it had first. */ -}}
{{- define "gateway.pullPolicy" -}}
{{- default (ternary "Always" "IfNotPresent" (regexMatch "^([^@]*/)?[^@:/]+(:latest)?$" .image)) .root.Values.image.pullPolicy }}
{{- end }}

{{- /* Variables: those that the chart sets, which no value may set, of the process, and of all; empty ones are left out, as the processes take them. */ -}}
{{- define "gateway.environment" -}}
{{- range $name, $_ := .chart }}
{{- if or (hasKey $.own $name) (hasKey $.shared $name) }}
{{- fail (printf "%s is set by the chart and cannot be in config, api.config or worker.config. values.yaml names the value that sets it, if there is one." $name) }}
{{- end }}
{{- end }}
{{- range $table := list .own .shared }}
{{- if hasKey $table "DATABASE_URL" }}
{{- fail "DATABASE_URL cannot be in config, api.config or worker.config. Each process connects as its own user, with the address in its Secret." }}
{{- end }}
{{- if and (hasKey $.own "QUEUE_SCHEMA") (ne (toString (get $.own "QUEUE_SCHEMA")) (toString (default "" (get $.shared "QUEUE_SCHEMA")))) }}
{{- fail "QUEUE_SCHEMA belongs into config: the API, the workers and migrate need the same one." }}
{{- end }}
{{- with get $table "HOST" }}
{{- if regexMatch "^(127\\.|localhost$|::1$)" . }}
{{- fail (printf "HOST cannot be %s, where neither callers nor probes reach a pod: leave it out, or name an address of the pod, such as ::." .) }}
{{- end }}
{{- end }}
{{- end }}
{{- range $name, $value := merge (dict) .chart .own .shared }}
{{- /* Numbers of YAML are floating: 67108864 would become 6.7108864e+07. */}}
{{- $written := toString $value }}
{{- if and (kindIs "float64" $value) (eq $value (floor $value)) }}{{ $written = toString (int64 $value) }}{{ end }}
{{- if ne $written "" }}
- name: {{ $name }}
  value: {{ $written | quote }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Files out of Secrets and ConfigMaps, by their place in the list: what mounts them, and their volumes. */ -}}
{{- define "gateway.fileMounts" -}}
{{- range $at, $from := . }}
{{- /* Here rather than in the schema, which would say no more than "'not' failed". */}}
{{- if regexMatch "^/((app|bin|boot|dev|lib(32|64|x32)?|proc|root|run|sbin|spool|sys|tmp|types|usr|var/run)(/|$)|(etc|home|opt|var)$)" $from.path }}
{{- fail (printf "The files of %s would hide what is there in the containers: give them a folder of their own, such as /etc/reports." $from.path) }}
{{- end }}
{{- range $place, $other := $ }}
{{- if and (ne $at $place) (hasPrefix (printf "%s/" $other.path) (printf "%s/" $from.path)) }}
{{- fail (printf "The files of %s would lie in those of %s, which are read-only: give each a folder of its own." $from.path $other.path) }}
{{- end }}
{{- end }}
- { name: files-{{ $at }}, mountPath: {{ $from.path }}, readOnly: true }
{{- end }}
{{- end }}

{{- define "gateway.fileVolumes" -}}
{{- range $at, $from := . }}
- name: files-{{ $at }}
  {{- if $from.secret }}
  # For the group of the process, and nobody else.
  secret: { secretName: {{ $from.secret }}, defaultMode: 0440 }
  {{- else }}
  configMap: { name: {{ $from.configMap }} }
  {{- end }}
{{- end }}
{{- end }}

{{- define "gateway.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "gateway.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "gateway.scheduling" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* The report types of other packages, copied out of their image. */ -}}
{{- define "gateway.typesCopy" -}}
- name: report-types
  image: {{ required "reportTypes.image is the image that holds the packages of reportTypes.names" .Values.reportTypes.image }}
  imagePullPolicy: {{ include "gateway.pullPolicy" (dict "root" . "image" .Values.reportTypes.image) }}
  command: ["cp", "-R", {{ printf "%s/." .Values.reportTypes.folder | quote }}, /copied]
  securityContext: {{- include "gateway.containerSecurity" . | nindent 4 }}
  resources:
    requests: { cpu: 50m, memory: 32Mi }
    limits: { memory: 128Mi }
  volumeMounts:
    - { name: report-types, mountPath: /copied }
{{- end }}

{{- define "gateway.probes" -}}
# A process waits up to a minute for the schema that it expects.
startupProbe:
  httpGet: { path: /health/live, port: probes }
  periodSeconds: 2
  failureThreshold: 45
livenessProbe:
  httpGet: { path: /health/live, port: probes }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /health/ready, port: probes }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
{{- end }}
