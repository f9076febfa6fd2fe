/** An annotation that is being edited: converts between its members and the texts of the form. */
import type { Annotation, AnnotationChange } from '@deployment-annotations/contract/annotation'
import { formatRange, type Range } from '../address/range.ts'
import { fromWall, offsetAt } from '../address/zone.ts'
import { splitNames } from '../parts/split-names.ts'

/** @returns such as `2026-01-31T12:00:00.000` */
export function toInputText(ms: number, zone: string): string {
  return new Date(ms + offsetAt(ms, zone)).toISOString().slice(0, -1)
}

/** @returns RFC 3339, or `undefined` for an empty text */
export function fromInputText(text: string, zone: string): string | undefined {
  if (text === '') return undefined
  const wallMs = Date.parse(`${text}Z`)
  return Number.isNaN(wallMs) ? undefined : new Date(fromWall(wallMs, zone)).toISOString()
}

/** An existing annotation, or the defaults of a new one. */
export type Draft = Annotation | (AnnotationChange & { id?: undefined; datasets: string[] })

export interface DraftTexts {
  /** Separated by commas. */
  datasets: string
  type: string
  title: string
  description: string
  url: string
  service: string
  environment: string
  version: string
  /** Separated by commas. */
  tags: string
  time: string
  endTime: string
}

export function textsOf(draft: Draft, zone: string): DraftTexts {
  const { datasets, type = '', title = '', description = '', url = '', time, endTime } = draft
  const { service = '', environment = '', version = '', tags } = draft
  const own = { service: service ?? '', environment: environment ?? '', version: version ?? '', tags: tags?.join(', ') ?? '' }
  const text = (given: string | undefined) => (given === undefined ? '' : toInputText(Date.parse(given), zone))
  return { datasets: datasets.join(', '), type, title, description, url, ...own, time: text(time), endTime: text(endTime) }
}

interface Edit {
  draft: Draft
  /** The texts that the form started with. */
  before: DraftTexts
  texts: DraftTexts
  zone: string
}

/** @returns the members to send; a new annotation has all that are not empty */
export function changeOf({ draft, before, texts, zone }: Edit): AnnotationChange {
  const isEdited = (name: keyof DraftTexts) => texts[name] !== (draft.id === undefined ? '' : before[name])
  // A time that was not edited is sent as it was: the hour after the clocks are set back has the same texts as the one before.
  const timeOf = (name: 'time' | 'endTime') => (texts[name] === before[name] ? draft[name] : fromInputText(texts[name], zone))
  const time = timeOf('time')
  const endTime = timeOf('endTime')
  return {
    ...(isEdited('type') && { type: texts.type }),
    ...(isEdited('title') && { title: texts.title }),
    ...(isEdited('description') && { description: texts.description }),
    ...(isEdited('url') && { url: texts.url }),
    ...(isEdited('service') && { service: texts.service }),
    ...(isEdited('environment') && { environment: texts.environment }),
    ...(isEdited('version') && { version: texts.version }),
    ...(isEdited('tags') && { tags: splitNames(texts.tags) }),
    ...(isEdited('datasets') && { datasets: splitNames(texts.datasets) }),
    ...(isEdited('time') && time !== undefined && { time }),
    ...(isEdited('endTime') && endTime !== undefined && { endTime }),
  }
}

/** @param span the span that was marked on a chart; by default now, as a point in time */
export function draftOf(datasets: readonly string[], span: Range = { startMs: Date.now(), endMs: Date.now() }): Draft {
  const { startTime, endTime } = formatRange(span)
  return { datasets: [...datasets], time: startTime, ...(span.endMs > span.startMs && { endTime }) }
}
