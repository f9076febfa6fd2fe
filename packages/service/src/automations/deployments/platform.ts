/**
 * What a platform is to this service: how it signs, and how its requests are read. One file each.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { WebhookContent } from './deployment-event.ts'

/** A request as it came: the signature is over these bytes. */
export interface WebhookRequest {
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Platform {
  /** Headers that carry a signature, each on its own sufficient, and what is in them. */
  signatures: readonly { header: string; form: string }[]
  /**
   * What can be told before any secret is tried, where the platform's signatures have such headers.
   * @throws ServiceError `unauthorized` when the signature is too old, `malformed` when what it signs is not there
   */
  checkHeaders?(request: WebhookRequest, nowMs: number): void
  /** Whether the secret signed this request. Takes as long whatever the signature. */
  isSigned(request: WebhookRequest, secret: string, nowMs: number): boolean | Promise<boolean>
  /**
   * Reads a request whose signature is right.
   * @throws ServiceError `malformed`; `invalid` where the sender is the user's own script
   */
  read(request: WebhookRequest): WebhookContent
}

/** A header's value; of a repeated one none, because nothing says which of them counts. */
export function headerOf({ headers }: WebhookRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}
