/**
 * Sends one POST request, of a notifier or to a source of metrics: to public addresses only unless the operator allows others, following
 * no redirect, within one time limit from the lookup to the last byte, and over a connection of its own.
 */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { parseRetryAfter } from '@deployment-annotations/contract/retry-after'
import { checkHost, createLookup, RefusedAddressError } from './addresses.ts'

export interface OutgoingRequest {
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

interface Reply {
  status: number
  /** What is worth reading of it. */
  text: string
  /** There is more of it. */
  isCut: boolean
  /** The header of this name. */
  retryAfter: string | undefined
}

/** Sends, and resolves with a reply of 2xx. @throws DeliveryError */
type SendRequest = (request: OutgoingRequest) => Promise<Reply>

/** Why a message was not delivered, in words that tell no secret. */
export class DeliveryError extends Error {
  /** Whether the same message may be delivered later. */
  readonly isPassing: boolean
  /** How long the receiver asks to be left alone. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, { isPassing, retryAfterMs }: { isPassing: boolean; retryAfterMs?: number | undefined }) {
    super(message)
    this.name = 'DeliveryError'
    this.isPassing = isPassing
    this.retryAfterMs = retryAfterMs
  }
}

/** From the lookup of the name to the end of the answer. */
const REQUEST_MS_MAX = 10_000
const REPLY_BYTES_MAX = 65_536
const SHOWN_LENGTH_MAX = 200
/** What is wrong with the request or its address does not pass. A 404 may: a receiver is being replaced. */
const LASTING = new Set([400, 401, 403, 405, 406, 410, 411, 413, 414, 415, 422])

interface SendOptions {
  mayBePrivate: boolean
  now: () => number
  timeoutMs?: number
  /** Where answers are read as a whole: a longer one is refused. Without it they are cut. */
  wholeBytesMax?: number
}

/** @param secrets texts that stand in no error */
export function createSend(
  { mayBePrivate, now, timeoutMs = REQUEST_MS_MAX, wholeBytesMax }: SendOptions,
  secrets: readonly string[],
): SendRequest {
  const lookup = createLookup(mayBePrivate)
  return async (outgoing) => {
    const url = new URL(outgoing.url)
    try {
      const refused = checkHost(url, mayBePrivate)
      if (refused) throw refused
      const reply = await exchange(url, outgoing, { lookup, timeoutMs, replyBytesMax: wholeBytesMax ?? REPLY_BYTES_MAX })
      if (reply.status >= 200 && reply.status < 300) {
        if (!reply.isCut || wholeBytesMax === undefined) return reply
        throw new DeliveryError(`the receiver answered more than ${wholeBytesMax} bytes`, { isPassing: false })
      }
      throw refusal(reply, now(), secrets)
    } catch (error) {
      if (error instanceof DeliveryError) throw error
      if (error instanceof RefusedAddressError) throw new DeliveryError(error.message, { isPassing: false })
      throw new DeliveryError(describeFailure(error, timeoutMs), { isPassing: true })
    }
  }
}

function exchange(
  url: URL,
  { headers = {}, body = '' }: OutgoingRequest,
  { lookup, timeoutMs, replyBytesMax }: { lookup: ReturnType<typeof createLookup>; timeoutMs: number; replyBytesMax: number },
): Promise<Reply> {
  const ask = url.protocol === 'https:' ? requestHttps : requestHttp
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const request = ask(url, { method: 'POST', lookup, signal, agent: false, headers: { ...headers, ...length } }, (response) => {
      const pieces: Buffer[] = []
      let bytes = 0
      const end = () => {
        const text = Buffer.concat(pieces).toString()
        const isCut = bytes > replyBytesMax
        resolve({ status: response.statusCode ?? 0, text, isCut, retryAfter: response.headers['retry-after'] })
        response.destroy()
      }
      response.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (bytes <= replyBytesMax) pieces.push(piece)
        else end()
      })
      // The status has said what became of the message, even where the rest of the answer does not come.
      response.on('end', end).on('error', end).on('aborted', end)
    })
    request.on('error', (error) => reject(signal.aborted ? signal.reason : error))
    request.end(body)
  })
}

function refusal({ status, text, retryAfter }: Reply, nowMs: number, secrets: readonly string[]): DeliveryError {
  const retryAfterMs = parseRetryAfter(retryAfter, undefined, nowMs)
  const isMoved = status >= 300 && status < 400
  const said = isMoved ? 'a redirect, which is not followed' : showReply(text, secrets)
  const isPassing = status >= 400 && !LASTING.has(status)
  return new DeliveryError(`the receiver answered ${status}${said && `: ${said}`}`, { isPassing, retryAfterMs })
}

/** Characters as URLs, JSON, JavaScript and HTML escape them. */
const ESCAPED = /(?:%(?:25){0,3}|\\x|\\u00|&#x)([\da-f]{2});?|&(?:#(\d{2,3})|[a-z]{2,4});/gi
/** @returns the letters and digits of a text, which programs leave as they are whatever they do to its case and to the signs between them */
function bareOf(text: string): string {
  const plain = text.replace(ESCAPED, (_, hex?: string, code = '') => String.fromCharCode(Number(hex ? `0x${hex}` : code)))
  return plain.toLowerCase().replace(/[^a-z\d]+/g, '')
}

/**
 * @returns the beginning of what a receiver replied, in one line without control characters and without the secrets; nothing of it where it
 *   repeats a secret in a spelling of its own
 */
export function showReply(reply: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
  let text = reply.slice(0, REPLY_BYTES_MAX)
  for (const form of forms) if (form.length > 3) text = text.replaceAll(form, '…')
  const bare = bareOf(text)
  // Fewer letters and digits may be there by chance.
  if (secrets.flatMap(spell).some((one) => one.length > 5 && bare.includes(one))) return '…'
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line.slice(0, SHOWN_LENGTH_MAX)
}

/** @returns a secret, its hexadecimal digits, and its base64 at each of the three alignments, all bare: the ends depend on what is around it */
function spell(secret: string): string[] {
  const encoded = [0, 1, 2].map((at) => Buffer.from(' '.repeat(at) + secret).toString('base64url'))
  return [secret, Buffer.from(secret).toString('hex'), ...encoded.map((text, at) => text.slice(at && at + 1, -1))].map(bareOf)
}

function describeFailure(error: unknown, timeoutMs: number): string {
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError') return `the receiver did not answer within ${timeoutMs / 1_000} s`
  return `the receiver could not be reached${code === undefined ? '' : ` (${code})`}`
}
