/**
 * A platform whose bodies are read by mappings that this program has for them, so that there is nothing of it but data.
 */
import { type BodyKind, readerOf } from './mapping.ts'
import { memberAt, parsePayload } from './payload.ts'
import { headerOf, type Platform, type SignatureCheck } from './platform.ts'

interface Preset {
  proofs: readonly SignatureCheck[]
  /** A member whose members count as those of the body, where there is one. */
  envelope?: string
  /** The first that the body is of says how it is read. */
  kinds: readonly BodyKind[]
  /** Why a body of none of the kinds is ignored. */
  otherwise: string
}

export function presetPlatform({ proofs, envelope, kinds, otherwise }: Preset): Platform {
  const readBody = readerOf(kinds, otherwise)
  return {
    proofs,
    read(request, { nowMs }) {
      const isForm = headerOf(request, 'content-type').startsWith('application/x-www-form-urlencoded')
      const payload = parsePayload(request.body, isForm ? 'payload' : undefined)
      const content = envelope === undefined ? undefined : memberAt(payload, envelope)
      const isWrapped = typeof payload === 'object' && typeof content === 'object'
      return readBody({ header: request.headers, body: isWrapped ? { ...payload, ...content } : payload }, nowMs)
    },
  }
}
