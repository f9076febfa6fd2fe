/**
 * The labels header of a request: a JSON object whose members are added to every event that lacks them. It is read by the same scanner
 * as the events, so that the same rules hold for both.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { invalid, type ServiceError } from '@deployment-annotations/runtime/errors'
import type { FieldTransaction, FieldTree } from '../fields/field-tree.ts'
import { EventScanner } from '../scan/event-scanner.ts'
import type { SourcedValues } from '../scan/event-values.ts'
import { LBRACE, MORE } from '../scan/json-reader.ts'

/**
 * Their fields become fields of the request.
 * @throws ServiceError `invalid` if the labels cannot be stored
 */
export function readLabels(text: Buffer, { root, time }: FieldTree, transaction: FieldTransaction): SourcedValues {
  const scanner = new EventScanner({ root, time, named: [], wrapTime: time, wrapRest: new Set() }, transaction)
  const end = scanned(text, scanner)
  if (text[0] !== LBRACE || text.toString('latin1', end).trim() !== '') throw unusable('it must be one JSON object')
  if (scanner.failure !== undefined) throw unusable(scanner.failure)
  if (scanner.ownTime) throw unusable('_time cannot be a label')
  const unlisted = transaction.acceptEvent()
  if (unlisted) scanner.takeOut(unlisted)
  return scanner
}

function scanned(text: Buffer, scanner: EventScanner): number {
  try {
    return scanner.scan(text, 0)
  } catch (error) {
    throw unusable(error === MORE ? 'it ends too early' : (error as Error).message)
  }
}

function unusable(reason: string): ServiceError {
  return invalid(VALIDATION_CODES.type, `X-Axiom-Event-Labels cannot be used: ${reason}`)
}
