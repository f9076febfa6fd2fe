/**
 * Where an annotation belongs: its service, environment, version and tags, as they were given, and otherwise as its texts say. The one
 * place that reads them from texts. Pure.
 */
import { TAG_PATTERN, TAG_POINTS_MAX, TAGS_MAX } from '@deployment-annotations/contract/annotation'
import { countPoints } from '@deployment-annotations/contract/text'
import { readNamedTag, TAGS_LINE } from '@deployment-annotations/edge/tags'
import type { StoredAnnotation, TagFilter } from '@deployment-annotations/records/annotations/annotation-records'

type Texts = Pick<StoredAnnotation, 'datasets' | 'type' | 'title' | 'description' | 'url'>
type Tags = Pick<StoredAnnotation, 'service' | 'environment' | 'version' | 'tags'>

const VERSION = /(?:^|[\s@/#-])(v?\d+(?:\.\d+)+(?:[-+][\w.]+)?|[0-9a-f]{7,40})(?=$|[\s),:])/i
/** The page of a release, as GitHub, GitLab and Gitea have it. */
const VERSION_PAGE = /\/(?:releases|tags?)\/(?:tag\/)?(?:[^/@]+@)?(v?\d+(?:\.\d+)+(?:[-+][\w.]+)?)$/i
const NAMED_ENVIRONMENT = /^environment `([^`]+)`|, environment `([^`]+)`/im
const ENVIRONMENTS: readonly [RegExp, string][] = [
  [/\bprod(?:uction)?\b/i, 'production'],
  [/\bstag(?:e|ing)\b/i, 'staging'],
  [/\bcanary\b/i, 'canary'],
  [/\bpreview\b/i, 'preview'],
  [/\b(?:test|testing|qa)\b/i, 'test'],
  [/\bdev(?:elopment)?\b/i, 'development'],
]
/** Only a title about a release names its service: "Outage" is none. */
const RELEASE = /deploy|release|roll(?:ed|ing)?[\s-]?(?:back|out)|revert|\bship/i
/** Words of a title that name no service. */
const FILLING =
  /\b(?:prod(?:uction)?|stag(?:e|ing)|canary|preview|deploy(?:ed|ment|s)?|release[ds]?|roll(?:ed|ing)?[\s-]?back|revert(?:ed)?|version|of|to|from|the|failed|canceled|in|on)\b/gi

/** @returns what was given, and for what was not, what the texts say: the tags first, then title, description, type and link */
export function readTags(annotation: Texts & Tags): Tags {
  const { title = '', description = '', type, url = '' } = annotation
  const tags =
    annotation.tags ??
    TAGS_LINE.exec(description)?.[1]
      ?.split(/\s*,\s*/)
      .filter(isTag)
      .slice(0, TAGS_MAX)
  const meanings = tags?.map(readNamedTag) ?? []
  const named = (kind: 'service' | 'environment' | 'version') => meanings.find((one) => one?.kind === kind)?.value
  const [, inTitle] = VERSION.exec(title) ?? []
  const read = {
    service: named('service') ?? readService(title, type, inTitle),
    environment: named('environment') ?? readEnvironment(title, description, type),
    version: (named('version') ?? inTitle ?? VERSION_PAGE.exec(url)?.[1])?.replace(/^v(?=\d)/i, ''),
  }
  const given = { service: annotation.service, environment: annotation.environment, version: annotation.version }
  const said = [
    ...Object.entries(read).filter(([, text]) => text && isTag(text)),
    ...Object.entries(given).filter(([, text]) => text),
  ]
  return { ...Object.fromEntries(said), ...(tags && { tags: [...tags] }) }
}

/** @returns whether the text could have been given */
export const isTag = (text: string) => text !== '' && countPoints(text) <= TAG_POINTS_MAX && TAG_PATTERN.test(text)

/** @returns whether it is what the filter asks for; one that says no service is of those that its datasets are named after */
export function hasTags(annotation: Texts & Tags, asked: TagFilter | undefined): boolean {
  if (!asked) return true
  const { service, environment = '', version = '', tags = [] } = readTags(annotation)
  const services = service === undefined ? annotation.datasets : [service]
  return (
    (asked.service?.some((name) => services.includes(name)) ?? true) &&
    (asked.environment?.includes(environment) ?? true) &&
    (asked.version?.includes(version) ?? true) &&
    (asked.tag?.every((tag) => tags.includes(tag)) ?? true)
  )
}

function readEnvironment(title: string, description: string, type: string): string | undefined {
  const [, first, second] = NAMED_ENVIRONMENT.exec(description) ?? []
  const said = [title, type].map((text) => ENVIRONMENTS.find(([words]) => words.test(text))?.[1])
  return first ?? second ?? said.find((name) => name !== undefined)
}

/** @returns what is left of a title without its version and without filling, if that is one word; `web` of `web 2.15.0` and `web@2.15.0` */
function readService(title: string, type: string, version: string | undefined): string | undefined {
  if (version === undefined && !RELEASE.test(type) && !RELEASE.test(title)) return undefined
  const [named = ''] = title.split('@')
  const text = version === undefined ? named : named.replace(version, '')
  const words = text
    .replace(FILLING, ' ')
    .replace(/\([^)]*\)|#\d+/g, ' ')
    .split(/\s+/)
  const left = words.filter((word) => /\p{L}/u.test(word)).map((word) => word.replace(/[^\p{L}\p{N}]+$/u, ''))
  return left.length === 1 ? left[0]?.toLowerCase() : undefined
}
