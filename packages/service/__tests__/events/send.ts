/**
 * Sends bodies to the ingest endpoint over a real socket.
 */
import type { IngestResult } from '@deployment-annotations/contract/event'

export interface Answer {
  status: number
  headers: Headers
  body: IngestResult & { code?: number; message?: string }
}

export interface SendOptions {
  dataset?: string
  type?: string | null
  headers?: Record<string, string>
  query?: string
  path?: string
}

export async function send(
  service: { url: string; token: string },
  body: string | Buffer | ReadableStream | undefined,
  options: SendOptions = {},
): Promise<Answer> {
  const { dataset = 'web', type = 'application/json', query = '', path = `/v1/datasets/${dataset}/ingest` } = options
  const response = await fetch(`${service.url}${path}${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, ...(type !== null && { 'content-type': type }), ...options.headers },
    ...(body !== undefined && { body: body as string, duplex: 'half' }),
  } as RequestInit)
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
}
