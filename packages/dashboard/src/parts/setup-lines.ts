/** Lines to paste elsewhere, which send something here. None has the token. Pure. */

/** The step of a workflow that annotates a deployment. */
export function stepLines(origin: string, dataset: string): string {
  return `- uses: OWNER/deployment-annotations@v1
  with:
    token: \${{ secrets.ANNOTATION_TOKEN }}
    baseUrl: ${origin}
    datasets: ${dataset}
    type: production-deploy`
}

/** A shell command that sends one event. */
export function eventLines(origin: string, dataset: string): string {
  return `curl -X POST ${origin}/v1/datasets/${dataset}/ingest \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '[{"status":200,"path":"/"}]'`
}

/** A shell command that annotates one deployment. */
export function markLines(origin: string, dataset: string): string {
  return `curl -X POST ${origin}/v2/annotations \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"datasets":["${dataset}"],"type":"production-deploy","title":"Release 7"}'`
}

/** The variables that every OpenTelemetry SDK reads. */
export function otlpLines(origin: string, dataset: string): string {
  return `export OTEL_EXPORTER_OTLP_ENDPOINT=${origin}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer $TOKEN,X-Axiom-Dataset=${dataset}"`
}

/** The configuration of Filebeat, for whatever sends to Elasticsearch. */
export function elasticLines(origin: string, dataset: string): string {
  return `setup: { ilm.enabled: false, template.enabled: false }
output.elasticsearch:
  hosts: ['${origin}/v1/ingest/${dataset}/elastic']
  api_key: 'any:\${TOKEN}'
  allow_older_versions: true`
}
