/**
 * Annotations as earlier versions kept them, in the events' database. Only read: they are taken over into the records.
 * Where texts were unset they were empty.
 */
import type { RepeatMark, StoredAnnotation } from '../records/annotation-records.ts'
import type { Engine } from '../store/engine.ts'

interface EarlierAnnotation {
  annotation: StoredAnnotation
  repeat?: RepeatMark
}

interface AnnotationRow {
  id: string
  datasets: string[]
  time_text: string
  end_time_text: string | null
  title: string
  description: string
  type: string
  url: string
  created_at_text: string
  created_by: string
  repeat_key: string
  repeat_payload: string
}

/** There may be a million of them. */
const PAGE_ROWS = 5_000

// 64-bit integers leave as text: JSON numbers would be rounded.
const PAGE = `SELECT id, datasets, toString(time_ns) AS time_text, toString(end_time_ns) AS end_time_text, title, description, type, url,
toString(created_at_ms) AS created_at_text, created_by, repeat_key, repeat_payload
FROM annotations WHERE id > {after:String} ORDER BY id LIMIT 1 BY id LIMIT ${PAGE_ROWS}`

/** @returns all of them, page by page, in the order in which they were made */
export async function* readAnnotationRows(engine: Engine): AsyncGenerator<EarlierAnnotation[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: AnnotationRow[] = await engine.select<AnnotationRow>(PAGE, { after })
    yield rows.map(fromRow)
    after = rows.at(-1)?.id
  }
}

function fromRow(row: AnnotationRow): EarlierAnnotation {
  const { id, datasets, type, title, description, url, repeat_key: key, repeat_payload: payload } = row
  return {
    annotation: {
      id,
      datasets,
      ...readSpan(BigInt(row.time_text), row.end_time_text === null ? undefined : BigInt(row.end_time_text)),
      ...(title !== '' && { title }),
      ...(description !== '' && { description }),
      type,
      ...(url !== '' && { url }),
      createdAtMs: Number(row.created_at_text),
      createdBy: row.created_by,
    },
    ...(key !== '' && { repeat: { key, payload } }),
  }
}

/** Two changes at one moment, of the time and of the end by two services, could leave an end before the time. */
function readSpan(timeNs: bigint, endTimeNs: bigint | undefined): Pick<StoredAnnotation, 'timeNs' | 'endTimeNs'> {
  if (endTimeNs === undefined) return { timeNs }
  return endTimeNs < timeNs ? { timeNs: endTimeNs, endTimeNs: timeNs } : { timeNs, endTimeNs }
}
