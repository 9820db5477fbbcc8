{{- /* Most templates take a component: root, component (api, worker, prepare, …), pool, name, path and values. */ -}}
{{- define "gateway.fullname" -}}
{{- default .Release.Name .Values.fullnameOverride }}
{{- end }}

{{- define "gateway.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- with .pool }}
report-gateway/pool: {{ . }}
{{- end }}
{{- end }}

{{- define "gateway.labels" -}}
{{ include "gateway.selector" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Without the versions, which would restart pods that are the same in both versions. */ -}}
{{- define "gateway.podLabels" -}}
{{ include "gateway.selector" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- with merge (dict) (default dict .values.podLabels) .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "gateway.image" -}}
{{- $image := get .root.Values.image .name }}
{{- $repository := $image.repository }}
{{- with .root.Values.global.imageRegistry }}{{ $repository = printf "%s/%s" (trimSuffix "/" .) $repository }}{{ end }}
{{- if $image.digest }}{{ $repository }}@{{ $image.digest }}{{ else }}{{ $repository }}:{{ default .root.Chart.AppVersion $image.tag }}{{ end }}
{{- end }}

{{- /* Kubernetes has the same rule, but applies it only to new objects: a Deployment keeps the policy of its first image. */ -}}
{{- define "gateway.pullPolicy" -}}
{{- default (ternary "Always" "IfNotPresent" (regexMatch "^([^@]*/)?[^@:/]+(:latest)?$" .image)) .root.Values.image.pullPolicy }}
{{- end }}

{{- define "gateway.serviceAccountName" -}}
{{- $account := .values.serviceAccount }}
{{- default (ternary .name "default" $account.create) $account.name }}
{{- end }}

{{- define "gateway.apiComponent" -}}
{{- dict "component" "api" "pool" "" "name" (printf "%s-api" (include "gateway.fullname" .)) "path" "api" "values" .Values.api "secret" .Values.secrets.api | toJson }}
{{- end }}

{{- define "gateway.prepareComponent" -}}
{{- dict "component" "prepare" "pool" "" "name" (printf "%s-prepare" (include "gateway.fullname" .)) "path" "prepare" "values" .Values.prepare "secret" .Values.secrets.owner | toJson }}
{{- end }}

{{- /* The pod of `helm test`, which needs no identity. */ -}}
{{- define "gateway.testComponent" -}}
{{- $values := merge (dict "serviceAccount" (dict "create" false "name" "" "automountToken" false)) .Values.test }}
{{- dict "component" "test" "pool" "" "name" (printf "%s-test" (include "gateway.fullname" .)) "path" "test" "values" $values | toJson }}
{{- end }}

{{- /* The workers: one component, or one per pool. */ -}}
{{- define "gateway.workerComponents" -}}
{{- $fullname := include "gateway.fullname" . }}
{{- $components := list }}
{{- range $pool := .Values.workerPools }}
{{- $values := dict }}
{{- include "gateway.overlay" (dict "into" $values "from" (deepCopy $.Values.worker)) }}
{{- include "gateway.overlay" (dict "into" $values "from" (omit (deepCopy $pool) "name" "secret" "keda")) }}
{{- $keda := dict }}
{{- include "gateway.overlay" (dict "into" $keda "from" (deepCopy $.Values.keda)) }}
{{- include "gateway.overlay" (dict "into" $keda "from" (deepCopy (default dict $pool.keda))) }}
{{- $components = append $components (dict "component" "worker" "pool" $pool.name "name" (printf "%s-worker-%s" $fullname $pool.name) "path" (printf "workerPools.%s" $pool.name) "values" $values "secret" (default $.Values.secrets.worker $pool.secret) "keda" $keda) }}
{{- else }}
{{- $components = append $components (dict "component" "worker" "pool" "" "name" (printf "%s-worker" $fullname) "path" "worker" "values" .Values.worker "secret" .Values.secrets.worker "keda" .Values.keda) }}
{{- end }}
{{- toJson $components }}
{{- end }}

{{- /* Merges maps as helm merges values: `merge` of the template language would ignore 0, false and empty texts. */ -}}
{{- define "gateway.overlay" -}}
{{- $into := .into }}
{{- range $key, $value := .from }}
{{- if kindIs "invalid" $value }}
{{- $_ := unset $into $key }}
{{- else if and (kindIs "map" $value) (kindIs "map" (get $into $key)) }}
{{- include "gateway.overlay" (dict "into" (get $into $key) "from" $value) }}
{{- else }}
{{- $_ := set $into $key $value }}
{{- end }}
{{- end }}
{{- end }}
