/**
 * The operations of saved views, as Fastify and the document take them.
 */
import { refTo } from '@deployment-annotations/contract/schemas/parts'
import {
  NewSavedViewSchema,
  SavedViewChangeSchema,
  SavedViewParams,
  SavedViewSchema,
} from '@deployment-annotations/contract/schemas/saved-view'
import Type from '@deployment-annotations/contract/schemas/type'
import { answer, emptyAnswer, errorAnswer, errorAnswers } from '../../http/schemas.ts'

const tags = ['saved views']
const params = SavedViewParams
const view = (description: string) => answer(description, refTo(SavedViewSchema))

export const NAMED = [SavedViewSchema]

export const CREATE = {
  operationId: 'createSavedView',
  summary: 'Save a view',
  description: 'What the page of charts shows, under a name. The query is not run.',
  tags,
  body: NewSavedViewSchema,
  response: { 201: view('The saved view with its id.'), ...errorAnswers(400, 401, 403, 413, 415, 422, 507) },
}

export const LIST = {
  operationId: 'listSavedViews',
  summary: 'List saved views',
  tags,
  response: { 200: answer('All of them, the oldest first.', Type.Array(refTo(SavedViewSchema))), ...errorAnswers(401, 403) },
}

export const STARRED_QUERIES = {
  operationId: 'listStarredQueries',
  summary: 'List the queries of saved views',
  description: "As the hosted service's starred queries: one of each view, or of each of its charts.",
  tags,
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
}

export const GET = {
  operationId: 'getSavedView',
  summary: 'Get a saved view',
  tags,
  params,
  response: { 200: view('The saved view.'), ...errorAnswers(400, 401, 403, 404) },
}

export const CHANGE = {
  operationId: 'changeSavedView',
  summary: 'Change a saved view',
  description: 'Members that are not sent keep their values. With `version`, nobody else’s change is lost.',
  tags,
  params,
  body: SavedViewChangeSchema,
  response: {
    200: view('The saved view after the change.'),
    ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 507),
    409: errorAnswer('It was changed since the version that was sent.'),
  },
}

export const DELETE = {
  operationId: 'deleteSavedView',
  summary: 'Delete a saved view',
  tags,
  params,
  response: { 204: emptyAnswer('It was deleted.'), ...errorAnswers(400, 401, 403, 404, 507) },
}
