/**
 * What the service itself knows of an annotation: whether it goes on, when it is judged next, and what was found.
 */
import type { Kysely } from 'kysely'
import { addColumns, createIndex, integersBy, optionalIntegers, optionalTexts } from './columns.ts'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  const [verdict, details] = [optionalTexts('verdict'), optionalTexts('judgement')]
  await addColumns(schema, 'annotations', integersBy(0)('is_open'), verdict, details, optionalIntegers('judge_at_ms'))
  await createIndex(schema, 'annotations_by_judge_at', 'judge_at_ms')
}
