/** What the hosted service answers a query of errors by minute, for tests in which it is not ours. */
import type { Act } from '../support/scripted-service.ts'

/** A deployment with an hour before it and ten minutes after it. */
export const TIME = '2026-01-31T12:00:00Z'
export const QUERY = "errors: ['web'] | summarize f = countif(s > 499), n = count() by bin_auto(_time)"

/** Tables without `matches`, totals beside them, and members that ours do not have. */
export function answerOf(failedAfter: number): Act {
  const minutes = Array.from({ length: 70 }, (_, at) => at - 60)
  const times = minutes.map((minute) => new Date(Date.parse(TIME) + minute * 60_000).toISOString().replace('.000', ''))
  const fields = [
    { name: '_time', type: 'datetime' },
    { name: 'f', type: 'integer', agg: { name: 'countif', fields: ['s'] } },
    { name: 'n', type: 'integer', agg: { name: 'count', fields: [] } },
  ]
  const failed = minutes.map((minute) => (minute >= 0 ? failedAfter : 2))
  const table = {
    sources: [{ name: 'web' }],
    order: [],
    groups: [],
    range: { field: '_time', start: times[0], end: times.at(-1) },
  }
  const body = {
    format: 'tabular',
    status: { elapsedTime: 1, rowsExamined: 1, rowsMatched: 1, isPartial: false, cacheStatus: 1, unknown: true },
    tables: [
      {
        ...table,
        name: '0',
        fields,
        buckets: { field: '_time', size: 60_000_000_000 },
        columns: [times, failed, minutes.map(() => 200)],
      },
      { ...table, name: '_totals', fields: fields.slice(1), columns: [[140], [14_000]] },
    ],
    datasetNames: ['web'],
    fieldsMetaMap: {},
  }
  return { status: 200, body: JSON.stringify(body) }
}
