/**
 * Where an annotation belongs: its service, environment, version and tags, as they were given, and otherwise as its texts say. The one
 * place that reads them from texts. Pure.
 */
import { namesOfEnvironment } from '@deployment-annotations/compare/environments'
import { TAG_PATTERN, TAG_POINTS_MAX, TAGS_MAX } from '@deployment-annotations/contract/annotation'
import { countPoints } from '@deployment-annotations/contract/text'
import { readNamedTag, TAGS_LINE } from '@deployment-annotations/edge/tags'
import type { StoredAnnotation, TagFilter } from '@deployment-annotations/records/annotations/annotation-records'
import { readTitle } from './titles.ts'

type Texts = Pick<StoredAnnotation, 'datasets' | 'type' | 'title' | 'description' | 'url'>
type Tags = Pick<StoredAnnotation, 'service' | 'environment' | 'version' | 'tags'>

/** The page of a release, as GitHub, GitLab and Gitea have it. */
const VERSION_PAGE = /\/(?:releases|tags?)\/(?:tag\/)?(?:[^/@]+@)?(v?\d+(?:\.\d+)+(?:[-+][\w.]+)?)$/i
const NAMED_ENVIRONMENT = /^environment `([^`]+)`|, environment `([^`]+)`/im
/** @returns what was given, and for what was not, what the texts say: the tags first, then title, description, type and link */
export function readTags(annotation: Texts & Tags): Tags {
  const { title = '', description = '', type, url = '' } = annotation
  const tags =
    annotation.tags ??
    TAGS_LINE.exec(description)?.[1]
      ?.split(/(?:(?<!\s)\s+)?,\s*/)
      .filter(isTag)
      .slice(0, TAGS_MAX)
  const meanings = tags?.map(readNamedTag) ?? []
  const named = (kind: 'service' | 'environment' | 'version') => meanings.find((one) => one?.kind === kind)?.value
  const inTitle = readTitle(title, type)
  const read = {
    service: named('service') ?? inTitle.service,
    environment: named('environment') ?? readEnvironment(title, description, type),
    version: (named('version') ?? inTitle.version ?? VERSION_PAGE.exec(url)?.[1])?.replace(/^v(?=\d)/i, ''),
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

/** @returns whether it is what the filter asks for; one that says no service is of those that its datasets are named after, one without an environment is of production */
export function hasTags(annotation: Texts & Tags, asked: TagFilter | undefined): boolean {
  if (!asked) return true
  const { service, version = '', tags = [], ...where } = readTags(annotation)
  const services = service === undefined ? annotation.datasets : [service]
  return (
    (asked.service?.some((name) => services.includes(name)) ?? true) &&
    (asked.environment?.some((environment) => environmentOf({ environment }) === environmentOf(where)) ?? true) &&
    (asked.version?.includes(version) ?? true) &&
    (asked.tag?.every((tag) => tags.includes(tag)) ?? true)
  )
}

/** @returns the environment by its usual word, such as `production` for `prod`; what names none is of production */
export function environmentOf({ environment = '' }: Pick<Tags, 'environment'>): string {
  const named = environment || 'production'
  return namesOfEnvironment([named])?.[0] ?? named
}

function readEnvironment(title: string, description: string, type: string): string | undefined {
  const [, first, second] = NAMED_ENVIRONMENT.exec(description) ?? []
  // What is live may be so anywhere.
  const said = [title, type].map((text) => namesOfEnvironment(text.split(/\W+|\blive\b/i))?.[0])
  return first ?? second ?? said.find((name) => name !== undefined)
}
