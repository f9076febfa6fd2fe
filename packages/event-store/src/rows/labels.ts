/**
 * The labels header of a request: a JSON object whose members are added to every event that lacks them. It is read by the same scanner
 * as the events, so that the same rules hold for both.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { invalid, type ServiceError } from '@deployment-annotations/runtime/errors'
import type { FieldNode, FieldTransaction, FieldTree } from '../fields/field-tree.ts'
import { EventScanner } from '../scan/event-scanner.ts'
import { EventValues } from '../scan/event-shape.ts'
import { MORE } from '../scan/json-reader.ts'
import type { SourcedValues } from './row-block.ts'

/** A member of the labels, with the values in it. */
interface Label extends SourcedValues {
  node: FieldNode
}

export interface Labels {
  labels: readonly Label[]
  /** The fields that the labels add to each event, with their types as bits. */
  fields: readonly (readonly [node: FieldNode, bits: number])[]
}

export const NO_LABELS: Labels = { labels: [], fields: [] }

/** @throws ServiceError `invalid` if the labels cannot be stored */
export function readLabels(buf: Buffer, { tree, transaction }: { tree: FieldTree; transaction: FieldTransaction }): Labels {
  const { root, time } = tree
  const scanner = new EventScanner(root, transaction, { time, named: [], wrapTime: time, wrapRest: new Set() })
  scanLabels(buf, scanner)
  const fields: [FieldNode, number][] = []
  transaction.takeNotes((node, bits) => fields.push([transaction.hold(node), bits]))
  const { nodes, kinds, from, to, length, rest } = scanner.values
  const labels = new Map<FieldNode, Label>()
  const valuesOf = ({ top }: FieldNode): EventValues => {
    const label = labels.get(top) ?? { node: top, buf, values: new EventValues() }
    labels.set(top, label)
    return label.values
  }
  for (let i = 0; i < length; i++) {
    const node = nodes[i] as FieldNode
    valuesOf(node).add(node, kinds[i] as number, from[i] as number, to[i] as number)
  }
  for (const value of rest) valuesOf(value.node).rest.push(value)
  return { labels: [...labels.values()], fields }
}

function scanLabels(text: Buffer, scanner: EventScanner): void {
  const shape = scanned(text, scanner)
  const rest = text.toString('latin1', shape.end).trim()
  if (!shape.isObject || rest !== '') throw unusable('it must be one JSON object')
  const reason = shape.failure ?? (shape.hasDuplicates ? 'a field occurs twice' : undefined)
  if (reason !== undefined) throw unusable(reason)
  if (shape.time) throw unusable('_time cannot be a label')
}

function scanned(text: Buffer, scanner: EventScanner) {
  try {
    return scanner.scan(text, 0)
  } catch (error) {
    throw unusable(error === MORE ? 'it ends too early' : (error as Error).message)
  }
}

function unusable(reason: string): ServiceError {
  return invalid(VALIDATION_CODES.type, `X-Axiom-Event-Labels cannot be used: ${reason}`)
}
