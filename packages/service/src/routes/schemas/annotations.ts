/**
 * The operations of annotations, as Fastify and the document take them.
 */
import type { Readable } from 'node:stream'
import { ANNOTATION_OPEN_HEADER, OWN_ANNOTATION_MEMBERS } from '@deployment-annotations/contract/header'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import {
  AnnotationChangeSchema,
  AnnotationListSchema,
  AnnotationParams,
  AnnotationSchema,
  NewAnnotationSchema,
} from '@deployment-annotations/contract/schemas/annotation'
import { AnnotationKey, IdempotencyKey, refTo } from '@deployment-annotations/contract/schemas/parts'
import Type from '@deployment-annotations/contract/schemas/type'
import { operationsOn } from '../../http/operations.ts'
import { includeParameter } from '../../http/request-headers.ts'
import { answer, documented, errorAnswers, writtenAnswer } from '../../http/schemas.ts'

const on = operationsOn({ permissions: 'annotations', tags: ['annotations'], params: AnnotationParams, schema: AnnotationSchema })
const include = includeParameter(OWN_ANNOTATION_MEMBERS)
const open = {
  [ANNOTATION_OPEN_HEADER]: Type.Optional(
    Type.Enum(['true', 'false', ''], {
      type: 'string',
      description: 'As the member `open`, for clients whose bodies go to other services too.',
    }),
  ),
}
const annotation = (description: string) => answer(description, refTo(AnnotationSchema))

/** The schemas that the document names, and that the operations refer to. */
export const NAMED = [AnnotationSchema, NewAnnotationSchema, AnnotationChangeSchema]

export const CREATE = on.all('create', {
  operationId: 'createAnnotation',
  summary: 'Create an annotation',
  querystring: Type.Object(include),
  headers: documented(
    Type.Object({
      ...IdempotencyKey(
        'A create that repeats this key with the same body within 24 hours is answered with the first annotation.',
      ),
      ...AnnotationKey(
        'There is one annotation with this key: a create replaces what it says, and keeps its id. Needs the permission `annotations|update` too.',
      ),
      ...open,
      'annotation-job': Type.Optional(
        Type.String({
          description:
            'Beside a key: which of several jobs says this, as JSON with `run`, `attempt` and `job`, and perhaps `name`, `failed` and `line`. What the jobs of a run say is merged, and a later attempt replaces what a job of the same `name` said.',
        }),
      ),
    }),
  ),
  body: refTo(NewAnnotationSchema),
  response: {
    200: annotation('The annotation that had this key before, as it is now.'),
    201: annotation('The annotation with its id.'),
    ...errorAnswers(400, 401, 403, 409, 413, 415, 422, 507),
  },
})

export const LIST = on.all('read', {
  operationId: 'listAnnotations',
  summary: 'List annotations',
  description: 'The annotations whose span touches `[start, end]`, both ends included, sorted by time, then id.',
  headers: documented(Type.Object(AnnotationKey('Only the annotation with this key, whatever the parameters say.'))),
  querystring: documented(Type.Object({ ...AnnotationListSchema.properties, ...include })),
  response: {
    200: writtenAnswer<Annotation[] | Readable>('The annotations.', Type.Array(refTo(AnnotationSchema))),
    ...errorAnswers(400, 401, 403, 422),
  },
})

export const GET = on.one('read', {
  operationId: 'getAnnotation',
  summary: 'Get an annotation',
  querystring: Type.Object(include),
  response: { 200: annotation('The annotation.'), ...errorAnswers(400, 401, 403, 404) },
})

export const CHANGE = on.one('update', {
  operationId: 'changeAnnotation',
  summary: 'Change an annotation',
  description: 'Members that are not sent keep their values. An empty title, description or url unsets it.',
  querystring: Type.Object(include),
  headers: documented(Type.Object(open)),
  body: refTo(AnnotationChangeSchema),
  response: { 200: annotation('The annotation after the change.'), ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 507) },
})

export const DELETE = on.remove({ operationId: 'deleteAnnotation', summary: 'Delete an annotation' })
