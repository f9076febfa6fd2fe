/**
 * A platform whose bodies are read by mappings that this program has for them, so that there is nothing of it but data.
 */
import { type BodyKind, readerOf } from './mapping.ts'
import { decodeUtf8, memberAt, parseJson } from './payload.ts'
import type { Platform, SignatureCheck } from './platform.ts'

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
    read({ headers, body }, { nowMs }) {
      const payload = parseJson(decodeUtf8(body))
      const content = envelope === undefined ? undefined : memberAt(payload, envelope)
      const isWrapped = typeof payload === 'object' && typeof content === 'object'
      return readBody({ header: headers, body: isWrapped ? { ...payload, ...content } : payload }, nowMs)
    },
  }
}
