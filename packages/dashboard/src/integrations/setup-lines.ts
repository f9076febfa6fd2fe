/**
 * Lines to paste elsewhere, which send something here, by the ways to do that. None has the token: all read it from ANNOTATE_TOKEN.
 * `{origin}` stands for the address of the service, `{dataset}` for a dataset. Pure.
 */

/** OpenTelemetry's variables are read by every SDK; what Filebeat reads is much the same for whatever sends to Elasticsearch. */
const EVENT_LINES = {
  curl: `curl {origin}/v1/datasets/{dataset}/ingest \\
  -H "Authorization: Bearer $ANNOTATE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '[{"route":"/checkout","status":200,"duration_ms":74,
        "version":"2.15.0"}]'`,
  OpenTelemetry: `export OTEL_EXPORTER_OTLP_ENDPOINT={origin}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer $ANNOTATE_TOKEN,X-Axiom-Dataset={dataset}"`,
  Filebeat: `setup: { ilm.enabled: false, template.enabled: false }
output.elasticsearch:
  hosts: ['{origin}/v1/ingest/{dataset}/elastic']
  api_key: 'any:\${ANNOTATE_TOKEN}'
  allow_older_versions: true`,
}

const MARK_LINES = {
  Shell: `ANNOTATE_BASE_URL={origin} \\
npx @deployment-annotations/cli mark \\
  --datasets {dataset} --type production-deploy \\
  --title "{dataset} 2.15.0"`,
  'GitHub Actions': `- uses: OWNER/deployment-annotations@v1
  with:
    token: \${{ secrets.ANNOTATE_TOKEN }}
    baseUrl: {origin}
    datasets: {dataset}
    type: production-deploy`,
  'Other CI': `curl {origin}/v2/annotations \\
  -H "Authorization: Bearer $ANNOTATE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"datasets":["{dataset}"],"type":"production-deploy",
       "title":"{dataset} 2.15.0"}'`,
}

export const STEPS: readonly { title: string; waiting: string; lines: Readonly<Record<string, string>> }[] = [
  { title: 'Send an event', waiting: '○ Waiting for the first event', lines: EVENT_LINES },
  { title: 'Mark a release', waiting: '○ Waiting for the first mark', lines: MARK_LINES },
]
