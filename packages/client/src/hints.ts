/**
 * What an answer about one annotation says beside it, in headers; the hosted service sends none of them.
 */
import { ANNOTATION_KEY_HEADER, NOTICE_HEADER } from '@deployment-annotations/contract/header'
import type { Connection } from './connection.ts'
import { toLine } from './line.ts'
import { type Reply, readHeader } from './reply.ts'

export interface Hints {
  /** Address of the page that shows the annotation. */
  page?: string
  /** What whoever wrote the request should look at, such as a dataset that does not exist: one line. */
  notice?: string
  /** The key that the service honored, if the request had one. */
  key?: string
}

const NOTICE_POINTS_MAX = 1_000
const PAGE_LENGTH_MAX = 2_000

export function readHints({ baseUrl, redact }: Connection, reply: Reply): Hints {
  const notice = readHeader(reply, NOTICE_HEADER)
  const key = readHeader(reply, ANNOTATION_KEY_HEADER)
  const page = readPage(readHeader(reply, 'link'), baseUrl.href.replace(/\/$/, '') + reply.details.path)
  return {
    ...(page === undefined ? {} : { page: redact(page) }),
    ...(notice === undefined ? {} : { notice: toLine(redact(notice), NOTICE_POINTS_MAX) }),
    ...(key === undefined ? {} : { key }),
  }
}

/** RFC 8288, as far as our service writes it. @returns a web address, whatever the header holds */
function readPage(link: string | undefined, from: string): string | undefined {
  const target = /^<([^<>]*)>; rel="alternate"; type="text\/html"$/.exec(link ?? '')?.[1]
  if (target === undefined || !URL.canParse(target, from)) return undefined
  const { href, protocol } = new URL(target, from)
  return /^https?:$/.test(protocol) && href.length <= PAGE_LENGTH_MAX ? href : undefined
}
