/**
 * What became of a request, as OTLP has it: in the encoding of the request, with the count of what was refused where something was.
 */
import { type IngestOutcome, printRefusal } from '@deployment-annotations/event-store/rows/ingest-counts'
import type { Encoding } from './events.ts'
import { SIGNALS, type SignalName } from './levels.ts'
import { Response, Status } from './messages.ts'

export const TYPES = { protobuf: 'application/x-protobuf', json: 'application/json' } as const

/** @param result absent where there was nothing to store */
export function resultBody(name: SignalName, encoding: Encoding, result?: IngestOutcome): Uint8Array | string {
  const { ingested = 0, failed = 0, failures = [] } = result ?? {}
  const { items } = SIGNALS[name]
  const [first] = failures
  const why = first ? `; the first of them: ${printRefusal(first).error}` : ''
  const errorMessage = `${failed} of ${ingested + failed} ${items} were not stored${why}`
  if (encoding === 'protobuf')
    return Response.encode(failed > 0 ? { partialSuccess: { rejected: failed, errorMessage } } : {}).finish()
  const member = `rejected ${items}`.replace(/ (.)/g, (_, letter: string) => letter.toUpperCase())
  return JSON.stringify(failed > 0 ? { partialSuccess: { [member]: String(failed), errorMessage } } : {})
}

/** @param message for people: clients go by the status of HTTP. The form of errors in JSON is the protocol's already */
export function errorBody(message: string): Uint8Array {
  return Status.encode({ message }).finish()
}
