{{- /*
Variables of a container: those that the chart sets (chart), those of the process (own), those of all (shared), and `env` objects. Refuses names that
are no variables. Leaves out empty values, as the processes do.
*/ -}}
{{- define "gateway.environment" -}}
{{- $path := .path }}
{{- $chart := .chart }}
{{- $seen := dict }}
{{- range $name, $_ := .chart }}
{{- if or (hasKey $.own $name) (hasKey $.shared $name) }}
{{- fail (printf "%s is set by the chart and cannot be in config or %s.config. values.yaml names the value that sets it, if there is one." $name $path) }}
{{- end }}
{{- end }}
{{- include "gateway.checkVariables" (dict "root" .root "table" .shared "path" "config" "process" "") }}
{{- include "gateway.checkVariables" (dict "root" .root "table" .own "path" (printf "%s.config" $path) "process" .process) }}
{{- if and (hasKey .own "QUEUE_SCHEMA") (ne (toString (get .own "QUEUE_SCHEMA")) (toString (default "" (get .shared "QUEUE_SCHEMA")))) }}
{{- fail (printf "QUEUE_SCHEMA cannot be in %s.config. It belongs into config: the API, the workers and migrate need the same one." $path) }}
{{- end }}
{{- $merged := merge (dict) .chart .own .shared }}
{{- /* Its default is for MINIO_ENDPOINT. The processes refuse it next to a folder. */}}
{{- if .root.Values.storeClaim.enabled }}{{ $merged = omit $merged "MINIO_BUCKET" }}{{ end }}
{{- range $name, $value := $merged }}
{{- /* YAML numbers are floating: 67108864 would become 6.7108864e+07. */}}
{{- $written := toString $value }}
{{- if and (kindIs "float64" $value) (eq $value (floor $value)) }}{{ $written = toString (int64 $value) }}{{ end }}
{{- if ne $written "" }}
{{- $_ := set $seen $name true }}
- name: {{ $name }}
  value: {{ $written | quote }}
{{- end }}
{{- end }}
{{- range $variable := .env }}
{{- if hasKey $chart $variable.name }}
{{- fail (printf "%s is set by the chart and cannot be in %s.env. values.yaml names the value that sets it, if there is one." $variable.name $path) }}
{{- end }}
{{- if hasKey $seen $variable.name }}
{{- fail (printf "%s is in %s.env, and also there twice or in config or %s.config. Remove one of them." $variable.name $path $path) }}
{{- end }}
{{- $_ := set $seen $variable.name true }}
- {{ toYaml $variable | nindent 2 | trim }}
{{- end }}
{{- end }}

{{- define "gateway.checkVariables" -}}
{{- $variables := fromYaml (.root.Files.Get "files/variables.yaml") }}
{{- $prefix := toString (default "TYPES_" (get .root.Values.config "REPORT_TYPES_ENV_PREFIX")) }}
{{- range $name, $value := .table }}
{{- if eq $name "DATABASE_URL" }}
{{- fail (printf "DATABASE_URL cannot be in %s. Each process connects as its own user, with the address in its Secret." $.path) }}
{{- end }}
{{- if and (eq $name "HOST") (regexMatch "^(127\\.|localhost$|::1$)" (toString $value)) }}
{{- fail (printf "HOST in %s cannot be %s, because neither callers nor probes reach that address of a pod. Leave it out." $.path $value) }}
{{- end }}
{{- $processes := get $variables $name }}
{{- if not $processes }}
{{- range $family, $of := $variables }}
{{- if and (contains "{NAME}" $family) (regexMatch (printf "^%s$" (replace "{NAME}" "[A-Z0-9_]+" $family)) $name) }}{{ $processes = $of }}{{ end }}
{{- end }}
{{- end }}
{{- if not (or $processes (hasPrefix $prefix $name)) }}
{{- $nearest := include "gateway.nearest" (dict "name" (upper (snakecase $name)) "names" (keys $variables | sortAlpha)) }}
{{- fail (printf "%s.%s is not a variable of API, worker or migrate.%s If a program of the image needs it, put it into api.env, worker.env or prepare.env." $.path $name (ternary "" (printf " Did you mean %s?" $nearest) (eq $nearest ""))) }}
{{- end }}
{{- if and $processes $.process (not (contains $.process $processes)) }}
{{- fail (printf "%s.%s has no effect, because it is a variable of the %s only. Move it to %s.config." $.path $name (replace "api" "API" $processes) $processes) }}
{{- end }}
{{- end }}
{{- end }}

{{- /* The name that shares most pairs of letters with another, or nothing if it shares less than 60 %. */ -}}
{{- define "gateway.nearest" -}}
{{- $padded := printf "_%s_" .name }}
{{- $pairs := list }}
{{- range $at := until (int (sub (len $padded) 1)) }}{{ $pairs = append $pairs (substr $at (int (add $at 2)) $padded) }}{{ end }}
{{- $best := "" }}
{{- $most := 59 }}
{{- range $candidate := .names }}
{{- $other := printf "_%s_" $candidate }}
{{- $hits := 0 }}
{{- range $pairs }}{{ if contains . $other }}{{ $hits = add1 $hits }}{{ end }}{{ end }}
{{- $share := int (div (mul 200 $hits) (add (len $pairs) (sub (len $other) 1))) }}
{{- if gt $share $most }}{{ $most = $share }}{{ $best = $candidate }}{{ end }}
{{- end }}
{{- $best }}
{{- end }}

{{- /* A variable of a process, from its own table or the shared one. */ -}}
{{- define "gateway.variable" -}}
{{- $value := get (merge (dict) (default dict .values.config) .root.Values.config) .variable }}
{{- if kindIs "float64" $value }}{{ $value = int64 $value }}{{ end }}
{{- if not (kindIs "invalid" $value) }}{{ $value }}{{ end }}
{{- end }}
