/**
 * Annotations: their paths, and the patterns and bounds of their members, for the schemas and for senders that check before they send.
 * The shapes are in schemas/annotation.ts. This file does not load them, so that the step's bundle does without their library.
 */
import { text } from './schema.ts'
import { toSegment } from './text.ts'
import type { Verdict } from './verdict.ts'

/** Which annotations to list: those whose span touches `[start, end]` and that have one of the `datasets`. */
export interface AnnotationFilter {
  start?: string
  end?: string
  datasets?: readonly string[]
  /** Those that our service judged so; `worse` includes what is gone. Other services ignore it. */
  verdict?: readonly Verdict[]
  /** Those of one of these services; an annotation that says none is of the services that its datasets are named after. Ours only, as the next. */
  service?: readonly string[]
  environment?: readonly string[]
  version?: readonly string[]
  /** Those with all of these tags. */
  tag?: readonly string[]
}

/** How many annotations a page of the list has at most. */
export const ANNOTATIONS_PER_PAGE_MAX = 10_000
/** By time, the earliest first by default. */
export const LIST_ORDERS = ['asc', 'desc'] as const
export type ListOrder = (typeof LIST_ORDERS)[number]

export const ANNOTATIONS_PATH = '/v2/annotations'

/** @returns the path of one annotation, its id escaped */
export function annotationPath(id: string): string {
  return `${ANNOTATIONS_PATH}/${toSegment(id)}`
}
export const ANNOTATION_ID_PATTERN = /^ann_[A-Za-z0-9_-]{1,64}$/
export const ANNOTATION_TYPE_PATTERN = /^[a-z0-9-]+$/
/** What a type has, in the words of messages. */
export const TYPE_RULE = 'lower-case letters, digits and "-" only'

/** The longest texts, in Unicode code points. */
export const TYPE_POINTS_MAX = 256
/** How many datasets one annotation may have: an answer names them in a header as well. */
export const ANNOTATION_DATASETS_MAX = 100
export const TITLE_POINTS_MAX = 256
export const DESCRIPTION_POINTS_MAX = 512
export const URL_POINTS_MAX = 512

/** The `type` of annotations, also of those that monitors and integrations make. */
export const ANNOTATION_TYPE = text('Kind of the event.', {
  minLength: 1,
  maxLength: TYPE_POINTS_MAX,
  pattern: ANNOTATION_TYPE_PATTERN,
  examples: ['production-deploy'],
})

/** The type of annotations that the service makes of versions which appear in events. */
export const DETECTED_RELEASE_TYPE = 'detected-release'

/** Of service, environment, version and each tag. All of them fit into one header, escaped. */
export const TAG_POINTS_MAX = 100
export const TAGS_MAX = 16
/** Filters separate them by commas. */
export const TAG_PATTERN = /^[^,\u0000-\u001f\u007f]*$/
