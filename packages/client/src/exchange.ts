/**
 * One request to a server of somebody else, and the JSON of its answer, sent again where that may help. It serves comparisons over what
 * people already have.
 */
import { type CallOptions, runCall } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseJson, type Reply, unexpected } from './reply.ts'
import type { ApiRequest } from './request.ts'

type ExchangeCall = <T>(
  request: Pick<ApiRequest, 'path' | 'headers' | 'body'>,
  reader: { read: (body: unknown) => T | undefined; expected: string },
) => Promise<T>

/** @returns a call, which rejects with a ClientError, a ProtocolError for a body that `read` does not know */
export function createExchange(connection: Connection, options: CallOptions = {}): ExchangeCall {
  return (request, { read, expected }) => {
    const take = (reply: Reply) => {
      const found = read(parseJson(reply))
      if (found === undefined) throw unexpected(reply, expected)
      return found
    }
    return runCall(connection, { request: { method: 'POST', ...request }, read: take }, options)
  }
}
