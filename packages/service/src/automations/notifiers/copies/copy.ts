/**
 * What a place is to which annotations are copied: each is one file beside this one, and a row in `copies.ts`.
 */

import type { CopyKind } from '@deployment-annotations/contract/notifier'
import type { NotifierProperties } from '@deployment-annotations/contract/schemas/notifier'
import { cutText } from '@deployment-annotations/contract/text'
import { COPY_OF } from '../../../annotations/notices.ts'
import type { Message } from '../message.ts'
import type { SendRequest } from '../send-request.ts'

/** An annotation as it is copied. */
export interface CopiedAnnotation {
  title: string
  /** Description and verdict, a paragraph each. */
  text: string
  type: string
  startMs: number
  /** The same for a moment. */
  endMs: number
  /** The first says of what it is a copy. */
  tags: string[]
  /** The annotation's own link, or that to the page. */
  url: string | undefined
  version: string | undefined
  isWorse: boolean
}

/** @returns what the copy is called there; `undefined` where it has no name */
type Create<P> = (mark: CopiedAnnotation, properties: P, send: SendRequest) => Promise<string | undefined>

export interface CopyNotifier<P> {
  create: Create<P>
  /** Finds the copy that an earlier try may have made, whose answer was lost. */
  find?: Create<P>
  /** Absent where a copy cannot be changed: then it stays as it was made. */
  change?: (remote: string, mark: CopiedAnnotation, properties: P, send: SendRequest) => Promise<unknown>
  remove?: (remote: string, properties: P, send: SendRequest) => Promise<unknown>
}

export type CopyNotifierProperties<K extends CopyKind> = NonNullable<NotifierProperties[K]>

export const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json' }

export function readMark({ id, atMs, notice, links }: Message): CopiedAnnotation {
  const { annotation, title, text, tags = [] } = notice
  const startMs = annotation ? Date.parse(annotation.time) : atMs
  const verdict = annotation?.verdict
  const version = tags.find((tag) => tag.startsWith('version:'))
  return {
    title: cutText(title, 500),
    text: [annotation?.description ?? '', text].filter((part) => part !== '').join('\n\n'),
    type: annotation?.type ?? notice.event,
    startMs,
    endMs: annotation?.endTime === undefined ? startMs : Date.parse(annotation.endTime),
    tags: [`${COPY_OF}${annotation?.id ?? id}`, ...tags, ...(verdict ? [`verdict:${verdict}`] : [])],
    url: annotation?.url ?? links[0]?.url,
    version: version?.slice('version:'.length),
    isWorse: verdict === 'worse' || verdict === 'gone',
  }
}

/** @returns a link that says of what it is a copy, for places that have no tags */
export function markedUrl({ url, tags: [copyOf = ''] }: CopiedAnnotation): string {
  const [plain = ''] = (url ?? '').split('#')
  return `${plain}#${copyOf}`
}

/** @returns the answer's JSON, `{}` where it is none */
export function readJson<T extends object>({ text }: { text: string }): Partial<T> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Partial<T>) : {}
  } catch {
    return {}
  }
}

/** @returns an address below the one that was given, or below the usual one */
export function addressOf(given: string | undefined, usual: string, path: string): string {
  return `${(given ?? usual).replace(/\/+$/, '')}${path}`
}
