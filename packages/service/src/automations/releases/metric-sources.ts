/**
 * Where else than in events the service looks at what a release did: the operator's file of sources, each with an address, for whom it is,
 * and where its secret is. The operator wrote the addresses, so they may be inside of a network; redirects are not followed.
 * Deliberately not here: what a source is asked (the package compare), and when (measurement.ts).
 */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ComparisonError } from '@deployment-annotations/compare/comparison'
import { type NamedQuery, parseQueries } from '@deployment-annotations/compare/named-queries'
import type { Exchange, Source } from '@deployment-annotations/compare/sources/source'
import { readSourceKind, SOURCES, type SourceKind } from '@deployment-annotations/compare/sources/sources'
import { createSend } from '@deployment-annotations/edge/messages/send-request'
import type { StoredAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import { isObject } from '../../wire/is-object.ts'
import { readTags } from '../../wire/tags.ts'

/** A source as the file has it. */
interface Entry {
  url: string
  /** Beside the file, or an absolute path. */
  tokenFile?: string
  tenant?: string
  /**
   * Only for annotations on the charts of one of these, of one of these services, with one of these words in their type. A dataset asks for
   * the service of its own name; as an object, for those that stand there, the first where an annotation names none.
   */
  datasets?: string[] | Record<string, string[]>
  services?: string[]
  types?: string[]
  /** What is looked at, as the input `service` of the step says it, with `{service}` and the like for what an annotation says. */
  service?: string
  /** As the input `queries` of the step, with the same places. */
  queries?: string
}

const isText = (value: unknown): value is string => typeof value === 'string' && /^[^\0]+$/.test(value)
const isList = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isText)
const isMap = (value: unknown) => isObject(value) && Object.values(value).every(isList)
const isTenant = (value: unknown) => isText(value) && /^[!-~]+$/.test(value)
const MEMBERS: readonly [names: readonly string[], is: (value: unknown) => boolean, rule: string][] = [
  [['url', 'tokenFile', 'service', 'queries'], isText, 'must be a text'],
  [['tenant'], isTenant, 'must be a text without spaces'],
  [['services', 'types'], isList, 'must be a list of texts'],
  [['datasets'], (value) => isList(value) || isMap(value), 'must be a list of texts, or an object of lists of services'],
]

export interface MetricSource extends Omit<Entry, 'url'> {
  kind: SourceKind
  url: URL
}

/** Names that are written into a query as they are; others are not asked for. */
const NAME = /^[\p{L}\p{N}_.:/@ -]+$/u
const PLACES = /\{(service|environment|version|dataset)\}/g
/** A query of every group of a service has a few hundred kilobytes. */
const REPLY_BYTES_MAX = 16_777_216
const REQUEST_MS_MAX = 30_000

/** Addresses in the place of a file. */
const ADDRESSES = /^(?:[a-z]+\+)?https?:\/\//i

/**
 * @param given a file, or addresses with commas between them, which are for all annotations
 * @throws Error that says what is wrong where, without a secret
 */
export function readMetricSources(given: string): MetricSource[] {
  if (!ADDRESSES.test(given)) return readFileOfSources(given)
  const fail = (why: string) => new Error(`--metric-sources: ${why}`)
  return given.split(',').map((url, at) => readAddress(url, (why) => fail(`source ${at + 1}: ${why}`)))
}

function readFileOfSources(file: string): MetricSource[] {
  const fail = (why: string) => new Error(`--metric-sources ${file}: ${why}`)
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      throw fail(`${path} cannot be read (${(error as { code?: string }).code ?? String(error)})`)
    }
  }
  let entries: unknown
  try {
    entries = JSON.parse(read(file))
  } catch (error) {
    throw error instanceof SyntaxError ? fail(`it is no JSON: ${error.message}`) : error
  }
  if (!Array.isArray(entries)) throw fail('it must be a list of sources, as [{"url":"https://prometheus.example.com"}]')
  return entries.map((entry: unknown, at) => {
    const where = `source ${at + 1}`
    requireMembers(entry, (why) => fail(`${where}: ${why}`))
    const { url, tokenFile, ...rest } = entry
    const address = readAddress(url, (why) => fail(`${where}: ${why}`))
    const { problems } = parseQueries(rest.queries ?? 'none: 1')
    if (problems.length > 0) throw fail(`${where}: queries: ${problems.join('; ')}`)
    const token = tokenFile && resolve(dirname(file), tokenFile)
    if (token && read(token).trim() === '') throw fail(`${where}: ${token} is empty`)
    return { ...rest, ...address, ...(token && { tokenFile: token }) }
  })
}

function readAddress(text: string, fail: (why: string) => Error): Pick<MetricSource, 'kind' | 'url'> {
  const { kind, address } = readSourceKind(text)
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return { kind, url }
  throw fail('url must begin with https:// or http://, perhaps loki+ or clickhouse+ before it, and have no password')
}

function requireMembers(entry: unknown, fail: (why: string) => Error): asserts entry is Entry {
  if (!isObject(entry) || !('url' in entry)) throw fail('it must be an object with a url')
  for (const [name, value] of Object.entries(entry)) {
    const [, is, rule] = MEMBERS.find(([names]) => names.includes(name)) ?? []
    if (!is) throw fail(`${name} is unknown; there are ${MEMBERS.flatMap(([names]) => names).join(', ')}`)
    if (!is(value)) throw fail(`${name} ${rule}`)
  }
}

/** A source as it is asked for one annotation. */
export interface OpenSource extends Pick<Source, 'ask'> {
  title: string
  /** What answers depend on beside the query. */
  of: unknown
  /** @throws ComparisonError where nothing is known, DeliveryError where it cannot be asked */
  chooseQueries(timeMs: number): Promise<NamedQuery[]>
}

/** In the place of a dataset any that has no list of its own; in the place of a service whichever an annotation names. */
const ANY = '*'

/**
 * Which services annotations may ask for is the operator's: who may mark one dataset must not see the traffic of the service of another.
 * @returns the services that a source may be asked for by annotations on this dataset
 */
function servicesOf({ datasets }: MetricSource, name: string): readonly string[] {
  if (!datasets || Array.isArray(datasets)) return datasets?.includes(name) === false ? [] : [name]
  const known = new Map(Object.entries(datasets))
  return known.get(name) ?? known.get(ANY) ?? []
}

/** @returns the first that is for the annotation, opened; `undefined` where none is, or nothing says which service it is of */
export function openMetricSource(
  sources: readonly MetricSource[],
  annotation: StoredAnnotation,
  afterMs: number,
): OpenSource | undefined {
  const { environment, version, service: named } = readTags(annotation)
  const { datasets, type } = annotation
  const fitting = sources.flatMap((source) => {
    const { services, types, queries, service: template = '{service}' } = source
    const allowed = datasets.flatMap((name) => servicesOf(source, name))
    const service = named ?? allowed.find((one) => one !== ANY) ?? datasets[0] ?? ''
    const isFor =
      allowed.length > 0 && (services?.includes(service) ?? true) && (types?.some((word) => type.includes(word)) ?? true)
    const isChosen = services !== undefined || (queries ?? template).includes('{service}')
    return isFor ? [{ source, service, mayAsk: !isChosen || allowed.includes(service) || allowed.includes(ANY) }] : []
  })
  const { source, service, mayAsk } = fitting.find((one) => one.mayAsk) ?? fitting[0] ?? {}
  if (!source) return undefined
  const facts: Readonly<Record<string, string | undefined>> = { service, environment, version, dataset: datasets[0] }
  const wanted = [source.service ?? '{service}', source.queries ?? '']
  const places = [...(source.queries ?? source.service ?? '{service}').matchAll(PLACES)].map(([, name = '']) => facts[name] ?? '')
  if (places.some((name) => !NAME.test(name))) return undefined
  const [name = '', queries = ''] = wanted.map((text) => text.replace(PLACES, (_, place: string) => facts[place] ?? ''))
  const { title, create } = SOURCES[source.kind]
  const path = source.url.pathname.replace(/(?<!\/)\/+$/, '')
  const settings = { path, service: name, afterMs, tenant: source.tenant ?? '', mayNameOthers: false }
  const { ask, chooseQueries } = create(createExchange(source), settings)
  const chooseAllowed = async (timeMs: number) => {
    const refused = `--metric-sources does not let ${datasets.join(', ')} ask for the service ${JSON.stringify(service)}`
    if (!mayAsk) throw new ComparisonError(`${title} is not asked: ${refused}`)
    return queries === '' ? chooseQueries(timeMs) : parseQueries(queries).queries
  }
  return { title, of: [source, afterMs], ask, chooseQueries: chooseAllowed }
}

/** The secret is read each time, so that it may be replaced. */
function createExchange({ url, tokenFile, kind }: MetricSource): Exchange {
  return async ({ path, headers = {}, body }, { read, expected }) => {
    const token = tokenFile === undefined ? '' : readFileSync(tokenFile, 'utf8').trim()
    const basic = Buffer.from(token).toString('base64')
    const authorization = token.includes(':') ? `Basic ${basic}` : `Bearer ${token}`
    const options = { mayBePrivate: true, now: Date.now, timeoutMs: REQUEST_MS_MAX, wholeBytesMax: REPLY_BYTES_MAX }
    const send = createSend(options, token === '' ? [] : [token, basic])
    const own = { ...headers, accept: 'application/json', ...(token !== '' && { authorization }) }
    const { text } = await send({ url: new URL(path, url).href, headers: own, body })
    const found = read(await new Response(text).json().catch(() => undefined))
    if (found !== undefined) return found
    throw new ComparisonError(`${SOURCES[kind].title} at ${url.origin} answered without ${expected}`)
  }
}
