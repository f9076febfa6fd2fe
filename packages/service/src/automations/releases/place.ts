/**
 * Which events of a dataset are of the service and the environment that an annotation names: where events say several, those of others
 * are left out of its judgement. Events that name none stay.
 */
import type { Ask } from '@deployment-annotations/compare/comparison'
import { formatSpan, type Span } from '@deployment-annotations/compare/windows'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Dataset } from '@deployment-annotations/event-store/datasets/dataset'
import { listFields } from '../../query/catalog.ts'
import { environmentOf } from '../../wire/tags.ts'
import { placeFields } from '../versions/seen.ts'

/** Of a field with more values the annotation's is not looked for. */
const VALUES_MAX = 1_000
/** A part of a query, and whether it tells environments apart. */
export interface PlaceFilter {
  filter: string
  isByEnvironment: boolean
}

export async function readPlaceFilter(ask: Ask, dataset: Dataset, annotation: Annotation, span: Span): Promise<PlaceFilter> {
  const fields = placeFields(listFields(dataset))
  const found: PlaceFilter = { filter: '', isByEnvironment: false }
  for (const name of ['service', 'environment'] as const) {
    const [field, own] = [fields[name], annotation[name]]
    if (field === undefined || own === undefined) continue
    const apl = `['${dataset.name}'] | extend place = ${field} | where isnotempty(place) | summarize events = count() by place | limit ${VALUES_MAX}`
    const { tables } = await ask({ name, apl }, formatSpan(span))
    const values = (tables[0]?.columns[0] ?? []).map(String)
    const same = values.filter((value) =>
      name === 'service'
        ? value.toLowerCase() === own.toLowerCase()
        : environmentOf({ environment: value }) === environmentOf({ environment: own }),
    )
    if (same.length === 0 || same.length === values.length) continue
    const quoted = same.map((value) => `'${value.replaceAll(/['\\]/g, '\\$&')}'`)
    found.filter += ` | where isempty(${field}) or ${field} in (${quoted.join(', ')})`
    found.isByEnvironment ||= name === 'environment'
  }
  return found
}
