/**
 * Datadog's events: https://docs.datadoghq.com/api/latest/events/, version 1, read 2026-11. Tags say where and what, as they do in
 * Grafana's API: `dataset:web`, `type:deploy`; `service:`, `env:` and `version:` are its own.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { StoredAnnotation } from '@deployment-annotations/records/annotation-records'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import { numberOf } from '../ids.ts'
import {
  type AnnotationApi,
  type ApiRequest,
  belongsTo,
  lineOf,
  placeOf,
  secondsOf,
  tagsOf,
  textsOf,
  timeOf,
  typeOf,
} from './annotation-api.ts'

const ALL = '/api/v1/events'
const id = ({ params }: ApiRequest) => params.id ?? ''

export const datadog: AnnotationApi = {
  tokenHeader: 'dd-api-key',
  operations: [
    {
      method: 'POST',
      path: ALL,
      does: 'create',
      status: 202,
      read: readEvent,
      key: keyOf,
      answer: ([made]) => ({ status: 'ok', event: made && toEvent(made) }),
    },
    {
      method: 'GET',
      path: ALL,
      does: 'list',
      filter: filterOf,
      answer: (found, request) => ({ events: withTags(found, request).map(toEvent) }),
    },
    { method: 'GET', path: `${ALL}/:id`, does: 'get', id, answer: ([found]) => ({ event: found && toEvent(found) }) },
    { method: 'DELETE', path: `${ALL}/:id`, does: 'remove', id, answer: () => ({ status: 'ok' }) },
    { method: 'GET', path: '/api/v1/validate', does: 'none', answer: () => ({ valid: true }) },
  ],
}

function readEvent(request: ApiRequest) {
  const { title, text, tags, date_happened, alert_type } = request.body
  if (lineOf(title) === '') throw invalid(VALIDATION_CODES.required, `title is required, got ${showValue(title)}`)
  const all = tagsOf(tags)
  const valuesOf = (...names: string[]) =>
    all.flatMap((tag) => (names.includes(tag.slice(0, tag.indexOf(':'))) ? [tag.slice(tag.indexOf(':') + 1)] : []))
  const places = valuesOf('dataset')
  const said = typeof text === 'string' ? text.replace(/^%%%\s*|(?<!\s)\s*%%%$/g, '') : ''
  const time = timeOf('date_happened', date_happened)
  const isRelease = /deploy|release|roll(?:ed|ing)?[\s-]?(?:back|out)/i.test([title, ...all].join(' '))
  return {
    ...textsOf({
      title,
      description: alert_type === 'error' ? `Failed${said ? `: ${said}` : ''}` : said,
      url: /https?:\/\/[^\s)"'<>]+/.exec(said)?.[0],
    }),
    ...belongsTo({
      service: valuesOf('service')[0],
      environment: valuesOf('env', 'environment')[0],
      version: valuesOf('version')[0],
    }),
    ...(all.length > 0 && { tags: all }),
    ...(time !== undefined && { time }),
    datasets: placeOf(
      places.length > 0 ? places : [...all, ...valuesOf('service')],
      request,
      'name a dataset in the tags, as dataset:NAME',
    ),
    type: typeOf(valuesOf('type')[0], isRelease ? 'deploy' : 'event'),
  }
}

/** Without a time, a second event like the first may be meant. */
function keyOf({ body }: ApiRequest): string | undefined {
  return body.date_happened === undefined ? undefined : JSON.stringify(body)
}

function filterOf({ query }: ApiRequest) {
  const at = (name: string) => {
    const value = query[name]
    if (typeof value === 'string' && /^\d{1,11}$/.test(value)) return BigInt(value) * 1_000_000_000n
    throw invalid(VALIDATION_CODES.pattern, `${name} must be seconds since 1970, got ${showValue(value)}`)
  }
  return { startNs: at('start'), endNs: at('end') }
}

function withTags(found: readonly StoredAnnotation[], { query: { tags } }: ApiRequest) {
  const asked = typeof tags === 'string' ? tags.split(',').filter(Boolean) : []
  return found.filter((one) => asked.every((tag) => allTags(one).includes(tag)))
}

function allTags({ tags = [], datasets, type, service, environment, version }: StoredAnnotation): string[] {
  const said = { service, env: environment, version }
  const own = Object.entries(said).flatMap(([name, value]) => (value ? [`${name}:${value}`] : []))
  return [...new Set([...tags, ...own, ...datasets.map((name) => `dataset:${name}`), `type:${type}`])]
}

function toEvent(found: StoredAnnotation) {
  const { id, timeNs, title = '', description = '', url = '' } = found
  const number = numberOf(id)
  return {
    id: number,
    id_str: String(number),
    title,
    text: description,
    date_happened: secondsOf(timeNs),
    priority: 'normal',
    alert_type: /^Failed/.test(description) ? 'error' : 'info',
    tags: allTags(found),
    url,
  }
}
