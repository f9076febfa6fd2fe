/**
 * Loki as a source: metric queries over logs. The default metrics of a service are its number of lines, and the share of errors by the
 * level that Loki detects. Source: https://grafana.com/docs/loki/latest/reference/loki-http-api/.
 */
import { ComparisonError } from '../comparison.ts'
import { askMatrix, createMatrixApi, type MatrixColumn, toQuery } from './matrix.ts'
import { bucketMsOf, type CreateSource, quoteText, readService } from './source.ts'

/** Labels that name a service, the preferred first; Loki itself sets the first one. */
const SERVICE_LABELS = ['service_name', 'service', 'app', 'job', 'app_kubernetes_io_name', 'container']
/** Loki sets `detected_level` since version 3. Before that, and without structured metadata, only a label has the level. */
const LEVELS = ['detected_level', 'level', 'severity_text', 'severity']
const FAILED = '(?i)err(or)?|crit(ical)?|fatal|alert|emerg(ency)?|panic'

export const createLokiSource: CreateSource = (exchange, { path, service, afterMs, tenant }) => {
  const api = createMatrixApi(exchange, `${path}/loki/api/v1`, tenant)
  const stepMs = bucketMsOf(afterMs)
  const { name, more } = readService(service)
  const selectorOf = (label: string) => `{${[`${label}=${quoteText(name)}`, ...more].join(', ')}}`

  /** Tries the labels one after the other, because a query of Loki has one selector. */
  async function findLabel(timeMs: number): Promise<string | undefined> {
    for (const label of SERVICE_LABELS) {
      const { series } = await api.query(`sum(count_over_time(${selectorOf(label)}[1h]))`, timeMs)
      if (series.length > 0) return label
    }
    return undefined
  }

  return {
    ask: (query, range) => askMatrix(api, query, range, { stepMs }),
    async chooseQueries(timeMs) {
      const label = await findLabel(timeMs)
      if (label === undefined)
        throw new ComparisonError(
          `Loki has no stream with a label that is ${JSON.stringify(name)} (${SERVICE_LABELS.join(', ')}) in the hour before. Check the name of the service, or give queries.`,
        )
      const count = (filter: string) => `sum(count_over_time(${selectorOf(label)}${filter}[$__interval]))`
      const isFailed = LEVELS.map((level) => `${level}=~\`${FAILED}\``).join(' or ')
      const lines: MatrixColumn = { name: 'lines', aggregation: 'count', query: count('') }
      const failed: MatrixColumn = {
        name: 'failed',
        aggregation: 'countif',
        query: `${count(` | ${isFailed} `)} or 0 * ${lines.query}`,
      }
      const errors = toQuery(`${name} errors in logs`, [failed, lines])
      return [toQuery(`${name} log lines`, [lines]), { ...errors, direction: 'higher-is-worse' }]
    },
  }
}
