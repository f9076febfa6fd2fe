/**
 * Turns a broken schema rule into the contract's 422: its validation code, the member, and the value that was sent.
 */
import { ANNOTATION_TYPE_PATTERN, TYPE_RULE } from '@deployment-annotations/contract/annotation'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { countPoints } from '@deployment-annotations/contract/text'
import { invalid, quoted, ServiceError, showValue } from '@deployment-annotations/runtime/errors'
import type { FastifySchemaValidationError } from 'fastify'

/** A violation as the validator describes it in verbose mode. */
type Violation = FastifySchemaValidationError & { data?: unknown; parentSchema?: unknown }

/** Members of earlier versions, and their names in this one. */
const RENAMED: ReadonlyMap<string, string> = new Map([['marksQuery', 'annotationsQuery']])

/** @param context which part of the request broke the rule; a bad path is a malformed request (400), a bad body an invalid one */
export function describeViolation(violation: Violation, context: string | undefined): ServiceError {
  const { keyword, params, data, parentSchema } = violation
  const member = nameMember(violation.instancePath)
  if (context === 'params') {
    return new ServiceError('malformed', `${member} ${showValue(data)} in the path does not match ${params.pattern}`)
  }
  const got = `got ${holdsSecret(parentSchema) ? describeSecret(data) : showValue(data)}`
  switch (keyword) {
    case 'type':
      return invalid(VALIDATION_CODES.type, `${member} must be ${withArticle(String(params.type))}, ${got}`)
    case 'required':
      return invalid(VALIDATION_CODES.required, `${params.missingProperty} is required`)
    case 'maxLength':
      return invalid(VALIDATION_CODES.tooLong, `${member} must have at most ${countOf(params.limit, 'character')}, ${got}`)
    case 'minLength':
      return invalid(VALIDATION_CODES.tooShort, `${member} must have at least ${countOf(params.limit, 'character')}, ${got}`)
    case 'pattern':
      return invalid(
        VALIDATION_CODES.pattern,
        `${member} ${describePattern(params.pattern)}, ${got}${suggestType(params.pattern, data)}`,
      )
    case 'enum':
      return invalid(
        VALIDATION_CODES.enum,
        `${member} must be one of ${[params.allowedValues]
          .flat()
          .filter((value) => value !== '')
          .join(', ')}, ${got}`,
      )
    case 'minimum':
      return invalid(VALIDATION_CODES.min, `${member} must be at least ${params.limit}, ${got}`)
    case 'maximum':
      return invalid(VALIDATION_CODES.max, `${member} must be at most ${params.limit}, ${got}`)
    case 'maxItems':
      return invalid(VALIDATION_CODES.itemsMax, `${member} must have at most ${countOf(params.limit, 'item')}, ${got}`)
    case 'minItems':
      return invalid(VALIDATION_CODES.itemsMin, `${member} must have at least ${countOf(params.limit, 'item')}, ${got}`)
    case 'additionalProperties': {
      const name = String(params.additionalProperty)
      const allowed = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {})
      const valid = allowed.length === 0 ? '' : `; valid are ${allowed.join(', ')}`
      const remedy = RENAMED.has(name) ? `; it is ${RENAMED.get(name)} now` : valid
      return invalid(VALIDATION_CODES.enum, `${member} has a member ${quoted(name)} that is not supported${remedy}`)
    }
    case 'maxProperties':
      return invalid(VALIDATION_CODES.itemsMax, `${member} must have at most ${countOf(params.limit, 'member')}, ${got}`)
    default:
      throw new Error(`no answer is defined for a violation of ${keyword}`)
  }
}

const isTypePattern = (pattern: unknown) => pattern === ANNOTATION_TYPE_PATTERN.source

function describePattern(pattern: unknown): string {
  return isTypePattern(pattern) ? `has ${TYPE_RULE}` : `must match ${pattern}`
}

/** @returns the end of a message that names the nearest type, or nothing where there is none */
function suggestType(pattern: unknown, data: unknown): string {
  if (!isTypePattern(pattern)) return ''
  const nearest = String(data)
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return nearest === null ? '' : `; did you mean ${quoted(nearest.join('-'))}?`
}

/** `/datasets/1` → `datasets[1]`. */
function nameMember(path: string): string {
  if (path === '') return 'the body'
  return path.replace(/\/(\d+)/g, '[$1]').replace(/^\//, '')
}

function countOf(count: unknown, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}

/** Whether a value of this schema is a secret, or may have one in it. */
function holdsSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return 'writeOnly' in schema || Object.values(schema).some(holdsSecret)
}

/** Says in a message what was sent in place of a secret, without its value. */
function describeSecret(value: unknown): string {
  if (typeof value === 'string') return `a string of ${countOf(countPoints(value), 'character')}`
  return typeof value === 'object' ? showValue(value) : withArticle(typeof value)
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}
