/**
 * Mistakes in the text of a query, as answers. Deliberately not here: what the engine refuses; that is packages/event-store/src/reading/engine-errors.ts.
 */
import { QueryError } from '@deployment-annotations/apl/error'
import { ServiceError } from '@deployment-annotations/runtime/errors'

/** @returns the answer to a query that cannot be compiled: its place, the line with a caret, and what to do */
function describeQueryError(error: QueryError): ServiceError {
  const { code, line, column, message, dataset, suggestion } = error
  return new ServiceError(dataset === undefined ? 'query' : 'not_found', error.explain(), {
    detail: { errorType: code, line, column, message, ...(suggestion !== undefined && { suggestion }) },
    cause: error,
  })
}

/**
 * @param onAbsent is told of a dataset that is not there for the caller, whether it is or not, before anything else is said of it
 * @returns what `compile` returns
 * @throws ServiceError for a mistake in the query, `not_found` where a dataset is not there
 */
export function answeringQueryErrors<T>(compile: () => T, onAbsent: (dataset: string) => void = () => {}): T {
  try {
    return compile()
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    if (error.dataset !== undefined) onAbsent(error.dataset)
    throw describeQueryError(error)
  }
}
