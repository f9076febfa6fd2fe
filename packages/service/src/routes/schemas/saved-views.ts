/**
 * The operations of saved views, as Fastify and the document take them.
 */
import {
  NewSavedViewSchema,
  SavedViewChangeSchema,
  SavedViewParams,
  SavedViewSchema,
} from '@deployment-annotations/contract/schemas/saved-view'
import Type from '@deployment-annotations/contract/schemas/type'
import { operationsOn } from '../../http/operations.ts'
import { answer, errorAnswer, errorAnswers } from '../../http/schemas.ts'

const on = operationsOn({ permissions: 'views', tags: ['saved views'], params: SavedViewParams, schema: SavedViewSchema })

export const NAMED = [SavedViewSchema]

export const CREATE = on.create({
  operationId: 'createSavedView',
  summary: 'Save a view',
  description: 'What the page of charts shows, under a name. The query is not run.',
  body: NewSavedViewSchema,
  answer: 'The saved view with its id.',
})

export const LIST = on.list({
  operationId: 'listSavedViews',
  summary: 'List saved views',
  answer: 'All of them, the oldest first.',
})

export const STARRED_QUERIES = on.all('read', {
  operationId: 'listStarredQueries',
  summary: 'List the queries of saved views',
  description: "As the hosted service's starred queries: one of each view, or of each of its charts.",
  response: {
    200: answer(
      'All of them, those of the oldest view first.',
      Type.Array(
        Type.Object({
          id: Type.String({ description: 'Of the view.' }),
          name: Type.String({ description: 'Of the view, and the title of the chart where it has several.' }),
          kind: Type.String(),
          dataset: Type.String({ description: 'The first that it is about; empty where it names none.' }),
          query: Type.Object({ apl: Type.String() }),
          who: Type.String({ description: 'Id of the token that saved it.' }),
        }),
      ),
    ),
    ...errorAnswers(401, 403),
  },
})

export const GET = on.get({ operationId: 'getSavedView', summary: 'Get a saved view', answer: 'The saved view.' })

export const CHANGE = on.change({
  operationId: 'changeSavedView',
  summary: 'Change a saved view',
  description: 'Members that are not sent keep their values. With `version`, nobody else’s change is lost.',
  body: SavedViewChangeSchema,
  answer: 'The saved view after the change.',
  errors: { 409: errorAnswer('It was changed since the version that was sent.') },
})

export const DELETE = on.remove({ operationId: 'deleteSavedView', summary: 'Delete a saved view' })
