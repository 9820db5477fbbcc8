{{- define "gateway.podMetadata" -}}
labels: {{- include "gateway.podLabels" . | nindent 2 }}
{{- $annotations := fromYaml (include "gateway.checksums" .) }}
{{- with merge (dict) (default dict .values.podAnnotations) $annotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Fields that all pods share. `values` of the component come before the top-level values. */ -}}
{{- define "gateway.podSettings" -}}
serviceAccountName: {{ include "gateway.serviceAccountName" . }}
automountServiceAccountToken: {{ .values.serviceAccount.automountToken }}
enableServiceLinks: false
securityContext: {{- include "gateway.podSecurity" .root | nindent 2 }}
{{- with include "gateway.pullSecrets" .root | fromJsonArray }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $field := list "priorityClassName" "nodeSelector" "tolerations" "affinity" }}
{{- with coalesce (get $.values $field) (get $.root.Values $field) }}
{{ $field }}: {{- ternary (printf " %v" .) (toYaml . | nindent 2) (kindIs "string" .) }}
{{- end }}
{{- end }}
{{- with .values.podSpec }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Fields of a pod that operators cannot put into podSpec. */ -}}
{{- define "gateway.podFields" -}}
{{- list "affinity" "automountServiceAccountToken" "containers" "enableServiceLinks" "imagePullSecrets" "initContainers" "nodeSelector" "priorityClassName" "restartPolicy" "securityContext" "serviceAccountName" "terminationGracePeriodSeconds" "tolerations" "topologySpreadConstraints" "volumes" | toJson }}
{{- end }}

{{- define "gateway.pullSecrets" -}}
{{- $secrets := list }}
{{- range concat (default list .Values.global.imagePullSecrets) (default list .Values.image.pullSecrets) }}
{{- $secrets = append $secrets (ternary (dict "name" .) . (kindIs "string" .)) }}
{{- end }}
{{- uniq $secrets | toJson }}
{{- end }}

{{- define "gateway.podSecurity" -}}
{{- $context := dict "runAsNonRoot" true "seccompProfile" (dict "type" "RuntimeDefault") }}
{{- if not .Values.openshift }}
{{- $context = merge $context (dict "runAsUser" 1000 "runAsGroup" 1000 "fsGroup" 1000 "fsGroupChangePolicy" "OnRootMismatch") }}
{{- end }}
{{- include "gateway.overlay" (dict "into" $context "from" (default dict .Values.podSecurityContext)) }}
{{- toYaml $context }}
{{- end }}

{{- define "gateway.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "gateway.spread" -}}
{{- if .values.topologySpreadConstraints }}
{{- toYaml .values.topologySpreadConstraints }}
{{- else -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  # Only pods of the same rollout count, because those of the previous one are about to end.
  matchLabelKeys: [pod-template-hash]
  labelSelector:
    matchLabels: {{- include "gateway.selector" . | nindent 6 }}
{{- end }}
{{- end }}

{{- /* The container's Secret, and other sources of variables. */ -}}
{{- define "gateway.envFrom" -}}
{{- $sources := list }}
{{- with .secret }}{{ $sources = append $sources (dict "secretRef" (dict "name" .)) }}{{ end }}
{{- with concat $sources (default list .values.envFrom) }}
envFrom: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Variables that the chart sets for API and worker, and for the command in NOTES.txt. */ -}}
{{- define "gateway.chartVariables" -}}
{{- $variables := dict }}
{{- if .Values.reportTypes.names }}
{{- $variables = dict "REPORT_TYPES" .Values.reportTypes.names "REPORT_TYPES_DIR" "/types" }}
{{- end }}
{{- if .Values.storeClaim.enabled }}
{{- $_ := set $variables "STORAGE_DIR" "/store/files" }}
{{- end }}
{{- toJson $variables }}
{{- end }}

{{- define "gateway.commonMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if and .root.Values.reportTypes.names (ne .component "prepare") }}
- { name: report-types, mountPath: /types, readOnly: true }
{{- end }}
{{- if and .root.Values.storeClaim.enabled (ne .component "prepare") }}
- { name: store, mountPath: /store, readOnly: {{ eq .component "api" }} }
{{- end }}
{{- include "gateway.fileMounts" . }}
{{- with .values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "gateway.commonVolumes" -}}
- name: tmp
  emptyDir: { sizeLimit: {{ ternary "64Mi" "256Mi" (eq .component "prepare") }} }
{{- if and .root.Values.reportTypes.names (ne .component "prepare") }}
- name: report-types
  emptyDir: { sizeLimit: 512Mi }
{{- end }}
{{- if and .root.Values.storeClaim.enabled (ne .component "prepare") }}
- name: store
  persistentVolumeClaim: { claimName: {{ default (printf "%s-store" (include "gateway.fullname" .root)) .root.Values.storeClaim.existingClaim }} }
{{- end }}
{{- include "gateway.fileVolumes" . }}
{{- with .values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* The operator's init containers, and the copy of the report types from their image. */ -}}
{{- define "gateway.initContainers" -}}
{{- with .values.initContainers }}
{{ toYaml . }}
{{- end }}
{{- if .root.Values.reportTypes.names }}
- name: report-types
  image: {{ .root.Values.reportTypes.image }}
  imagePullPolicy: {{ include "gateway.pullPolicy" (dict "root" .root "image" .root.Values.reportTypes.image) }}
  command: ["cp", "-R", {{ printf "%s/." .root.Values.reportTypes.folder | quote }}, /copied]
  securityContext: {{- include "gateway.containerSecurity" . | nindent 4 }}
  resources: {{- toYaml .root.Values.reportTypes.resources | nindent 4 }}
  volumeMounts:
    - { name: report-types, mountPath: /copied }
{{- end }}
{{- end }}

{{- /* A strategy of the operator replaces the chart's: Recreate, for example, allows no rollingUpdate. */ -}}
{{- define "gateway.rollout" -}}
{{- if not (hasKey (default dict .values.deploymentSpec) "strategy") }}
# A new pod is ready before an old one ends.
strategy:
  rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
{{- end }}
{{- with .values.deploymentSpec }}
{{ toYaml . }}
{{- end }}
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

{{- define "gateway.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name }}
  labels: {{- include "gateway.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  # While Postgres is down no pod is ready, and nodes must still be drained.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "gateway.selector" . | nindent 6 }}
{{- end }}
