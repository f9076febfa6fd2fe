/**
 * What an answer about one annotation says beside it, in headers; the hosted service sends none of them.
 */
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { ANNOTATION_KEY_HEADER, ANNOTATION_WARNING_HEADER } from '@deployment-annotations/contract/header'
import type { Connection } from './connection.ts'
import { toLine } from './line.ts'
import { type Reply, readHeader } from './reply.ts'

export interface Hints {
  /** Address of the page that shows the annotation. */
  page?: string
  /** What whoever wrote the request should look at, such as a dataset that does not exist: one line. */
  warning?: string
  /** The key that the service honored, if the request had one. */
  key?: string
  /** How far this machine's clock is ahead of the service's in milliseconds, negative where it is behind; absent where they agree. */
  clockAheadMs?: number
}

const WARNING_POINTS_MAX = 1_000
const PAGE_LENGTH_MAX = 2_000
/** A mark that is off by less is where people look for it. */
const CLOCKS_APART_MS_MAX = 5_000

export function readHints({ baseUrl, redact, clock }: Connection, reply: Reply): Hints {
  const warning = readHeader(reply, ANNOTATION_WARNING_HEADER)
  const page = readPage(readHeader(reply, 'link'), baseUrl.href.replace(/(?<!\/)\/+$/, '') + reply.path)
  return dropUndefined({
    page: page && redact(page),
    warning: warning === undefined ? undefined : toLine(redact(warning), WARNING_POINTS_MAX),
    key: readHeader(reply, ANNOTATION_KEY_HEADER),
    clockAheadMs: compareClocks(reply, clock.now()),
  })
}

/**
 * The `Date` header has whole seconds and was written at any moment between request and reply, so the clocks differ only if it lies
 * outside of that range.
 */
function compareClocks(reply: Reply, nowMs: number): number | undefined {
  const dateMs = Date.parse(readHeader(reply, 'date') ?? '')
  const aheadMs = reply.sentAtMs - (dateMs + 1_000)
  const behindMs = dateMs - nowMs
  if (aheadMs > CLOCKS_APART_MS_MAX) return aheadMs
  return behindMs > CLOCKS_APART_MS_MAX ? -behindMs : undefined
}

/** RFC 8288, as far as our service writes it. @returns a web address, whatever the header holds */
function readPage(link: string | undefined, from: string): string | undefined {
  const target = /^<([^<>]*)>; rel="alternate"; type="text\/html"$/.exec(link ?? '')?.[1]
  if (target === undefined || !URL.canParse(target, from)) return undefined
  const { href, protocol } = new URL(target, from)
  return /^https?:$/.test(protocol) && href.length <= PAGE_LENGTH_MAX ? href : undefined
}
