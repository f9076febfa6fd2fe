/**
 * The shapes of the keys that requests carry in headers. For the document: they are read where their errors can say more.
 */
import {
  ANNOTATION_KEY_HEADER,
  ANNOTATION_KEY_PATTERN,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_PATTERN,
} from '../rules/header.ts'
import Type from './type.ts'

const Key = (pattern: RegExp, maxLength: number, description: string) =>
  Type.Optional(Type.String({ description, minLength: 1, maxLength, pattern: pattern.source }))

/** The header of a request that may be repeated. */
export function IdempotencyKey(description: string) {
  return { [IDEMPOTENCY_KEY_HEADER]: Key(IDEMPOTENCY_KEY_PATTERN, 255, description) }
}

/** The header of a request about the one annotation with a key. */
export function AnnotationKey(description: string) {
  return { [ANNOTATION_KEY_HEADER]: Key(ANNOTATION_KEY_PATTERN, 128, description) }
}
