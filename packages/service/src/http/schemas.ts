/**
 * The shapes of the wire as JSON Schema: what validates requests, writes answers, and becomes /openapi.json.
 * Rules that span members (endTime not before time) and the reading of times are with the annotations themselves.
 */
import {
  ANNOTATION_ID_PATTERN,
  ANNOTATION_TYPE_PATTERN,
  DESCRIPTION_POINTS_MAX,
  TITLE_POINTS_MAX,
  TYPE_POINTS_MAX,
  URL_POINTS_MAX,
} from '@deployment-annotations/contract/annotation'
import { TIMESTAMP_FORMS } from '@deployment-annotations/contract/timestamp'

const MEMBERS = {
  datasets: {
    type: 'array',
    description: 'Names of the datasets on whose charts the annotation appears. They need not exist.',
    minItems: 1,
    // DATASET_NAME_PATTERN in three rules, because each has a validation code of its own.
    items: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9-]*$' },
    examples: [['web', 'api']],
  },
  time: {
    type: 'string',
    format: 'date-time',
    description: `What it marks, or the begin of a span: ${TIMESTAMP_FORMS}; years 1900 to 2262. By default the time of the request.`,
  },
  endTime: { type: 'string', format: 'date-time', description: 'End of the span; not before `time`.' },
  title: { type: 'string', maxLength: TITLE_POINTS_MAX, description: 'Short summary shown on charts.' },
  description: { type: 'string', maxLength: DESCRIPTION_POINTS_MAX, description: 'Markdown.' },
  type: {
    type: 'string',
    minLength: 1,
    maxLength: TYPE_POINTS_MAX,
    pattern: ANNOTATION_TYPE_PATTERN.source,
    description: 'Kind of the marked event.',
    examples: ['production-deploy'],
  },
  url: { type: 'string', maxLength: URL_POINTS_MAX, description: 'Where to read more.' },
} as const

const ID = { type: 'string', description: 'Assigned by the service.', pattern: ANNOTATION_ID_PATTERN.source } as const

export const ANNOTATION_SCHEMA = {
  $id: 'Annotation',
  title: 'Annotation',
  description: 'A marker on the charts of its datasets. Members that are not set are absent.',
  type: 'object',
  additionalProperties: false,
  required: ['id', 'datasets', 'time', 'type'],
  properties: { id: ID, ...MEMBERS },
} as const

export const NEW_ANNOTATION_SCHEMA = {
  $id: 'NewAnnotation',
  title: 'NewAnnotation',
  description: 'A member that is null counts as not sent; other members are ignored.',
  type: 'object',
  required: ['datasets', 'type'],
  properties: MEMBERS,
} as const

export const ANNOTATION_CHANGE_SCHEMA = {
  $id: 'AnnotationChange',
  title: 'AnnotationChange',
  description: 'The members to change; the others keep their values. A member that is null counts as not sent.',
  type: 'object',
  properties: MEMBERS,
} as const

export const ERROR_SCHEMA = {
  $id: 'Error',
  title: 'Error',
  description: '`code` is the status, or says with a 422 which rule was broken.',
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'integer' },
    message: { type: 'string' },
    detail: {
      type: 'object',
      description: 'Of errors in a query: what is wrong, and where; `line` and `column` count from 1.',
      properties: {
        errorType: { type: 'string', enum: ['syntax', 'unknown_name', 'type_mismatch', 'unsupported', 'limit'] },
        line: { type: 'integer' },
        column: { type: 'integer' },
        message: { type: 'string' },
      },
    },
  },
} as const

export const ID_PARAMS = { type: 'object', required: ['id'], properties: { id: ID } } as const

const ERROR_TEXTS = {
  400: 'The request cannot be read: malformed JSON or id.',
  401: 'No token, or one that is not known.',
  403: 'The token lacks the permission.',
  404: 'There is no such annotation.',
  409: 'A create with this Idempotency-Key is still under way; try again.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The body or a parameter breaks a rule; `code` says which.',
  432: 'The query needs more memory, or its answer more room, than is allowed.',
  500: 'A fault of the service; its log says more under the trace id.',
  503: 'The store is busy or unavailable; try again.',
  504: 'The query took longer than is allowed.',
  507: 'The disk is full; nothing was stored.',
} as const

/** @returns the error answers of a route, for its `response` schema */
export function errorAnswers(...statuses: (keyof typeof ERROR_TEXTS)[]): Record<number, object> {
  return Object.fromEntries(
    [...statuses, 500, 503].map((status) => [status, errorAnswer(ERROR_TEXTS[status as keyof typeof ERROR_TEXTS])]),
  )
}

/** @returns one error answer, for a status that means something of its own on a route */
export function errorAnswer(description: string): object {
  return { description, content: { 'application/json': { schema: { $ref: 'Error#' } } } }
}
