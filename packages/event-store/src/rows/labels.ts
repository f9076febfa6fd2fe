/**
 * The labels header of a request: a JSON object whose members are added to every event that lacks them. It is read by the same scanner
 * as the events, so that the same rules hold for both.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { invalid, type ServiceError } from '@deployment-annotations/runtime/errors'
import { decodeKey } from '../fields/field.ts'
import type { FieldNode, FieldTransaction, FieldTree } from '../fields/field-tree.ts'
import type { EventScanner } from '../scan/event-scanner.ts'
import { type EventShape, edited, type RestValue } from '../scan/event-shape.ts'
import { MORE } from '../scan/json-reader.ts'
import { parseWithTexts } from './number-texts.ts'

export interface Label {
  node: FieldNode
  text: Buffer
  /** The values in it that are not in the column `data`. */
  rest: readonly RestValue[]
}

export interface Labels {
  labels: readonly Label[]
  /** The fields that the labels add to each event, with their types as bits. */
  fields: readonly (readonly [node: FieldNode, bits: number])[]
}

export const NO_LABELS: Labels = { labels: [], fields: [] }

/** @throws ServiceError `invalid` if the labels cannot be stored */
export function readLabels(
  text: Buffer,
  { scanner, tree, transaction }: { scanner: EventScanner; tree: FieldTree; transaction: FieldTransaction },
): Labels {
  const shape = scanLabels(text, scanner)
  const fields: [FieldNode, number][] = []
  transaction.takeNotes((node, bits) => fields.push([transaction.hold(node), bits]))
  const stored = edited(text, { from: 0, to: text.length }, shape.sortedEdits()).toString()
  const members = Object.entries(parseWithTexts(stored) as Record<string, unknown>)
  const labels = members.map(([key, value]) => {
    const sent = JSON.stringify(decodeKey(key)).slice(1, -1)
    const node = transaction.hold(tree.root.childOf(sent))
    const rest = scanner.values.rest.filter((one) => one.node.top === node)
    return { node, text: Buffer.from(`${JSON.stringify(key)}:${JSON.stringify(value)}`), rest }
  })
  return { labels, fields }
}

function scanLabels(text: Buffer, scanner: EventScanner): EventShape {
  let shape: EventShape
  try {
    shape = scanner.scan(text, 0)
  } catch (error) {
    throw unusable(error === MORE ? 'it ends too early' : (error as Error).message)
  }
  const rest = text.toString('latin1', shape.end).trim()
  if (!shape.isObject || rest !== '') throw unusable('it must be one JSON object')
  const reason = shape.failure ?? (shape.hasDuplicates ? 'a field occurs twice' : undefined)
  if (reason !== undefined) throw unusable(reason)
  if (shape.timeMember) throw unusable('_time cannot be a label')
  return shape
}

function unusable(reason: string): ServiceError {
  return invalid(VALIDATION_CODES.type, `X-Axiom-Event-Labels cannot be used: ${reason}`)
}
