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

/** The code of each broken rule, and what the member must be or have instead. */
const RULES: Readonly<Record<string, readonly [code: number, must: (params: Violation['params']) => string]>> = {
  type: [VALIDATION_CODES.type, ({ type }) => `be ${withArticle(String(type))}`],
  maxLength: [VALIDATION_CODES.tooLong, ({ limit }) => `have at most ${countOf(limit, 'character')}`],
  minLength: [VALIDATION_CODES.tooShort, ({ limit }) => `have at least ${countOf(limit, 'character')}`],
  enum: [VALIDATION_CODES.enum, ({ allowedValues }) => `be one of ${namesOf(allowedValues)}`],
  minimum: [VALIDATION_CODES.min, ({ limit }) => `be at least ${limit}`],
  maximum: [VALIDATION_CODES.max, ({ limit }) => `be at most ${limit}`],
  maxItems: [VALIDATION_CODES.itemsMax, ({ limit }) => `have at most ${countOf(limit, 'item')}`],
  minItems: [VALIDATION_CODES.itemsMin, ({ limit }) => `have at least ${countOf(limit, 'item')}`],
  maxProperties: [VALIDATION_CODES.itemsMax, ({ limit }) => `have at most ${countOf(limit, 'member')}`],
}

/** @param context which part of the request broke the rule; a bad path is a malformed request (400), a bad body an invalid one */
export function describeViolation(violation: Violation, context: string | undefined): ServiceError {
  const { keyword, params, data, parentSchema } = violation
  const member = nameMember(violation.instancePath)
  if (context === 'params') {
    return new ServiceError('malformed', `${member} ${showValue(data)} in the path does not match ${params.pattern}`)
  }
  const got = `got ${holdsSecret(parentSchema) ? describeSecret(data) : showValue(data)}`
  const [code, must] = RULES[keyword] ?? []
  if (code !== undefined && must) return invalid(code, `${member} must ${must(params)}, ${got}`)
  switch (keyword) {
    case 'required':
      return invalid(VALIDATION_CODES.required, `${params.missingProperty} is required`)
    case 'pattern':
      return invalid(
        VALIDATION_CODES.pattern,
        `${member} ${describePattern(params.pattern)}, ${got}${suggestType(params.pattern, data)}`,
      )
    case 'additionalProperties': {
      const allowed = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {})
      const valid = allowed.length === 0 ? '' : `; valid are ${allowed.join(', ')}`
      const name = quoted(String(params.additionalProperty))
      return invalid(VALIDATION_CODES.enum, `${member} has a member ${name} that is not supported${valid}`)
    }
    default:
      throw new Error(`no answer is defined for a violation of ${keyword}`)
  }
}

/** An empty text stands for what is not said. */
const namesOf = (allowed: unknown) =>
  [allowed]
    .flat()
    .filter((value) => value !== '')
    .join(', ')

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
