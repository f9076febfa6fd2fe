/** What failed after a release, as the judge counted it, and the view that lists exactly that. */
import { mainCarriers } from '@deployment-annotations/compare/neighbors'
import type { Annotation, VerdictDetails } from '@deployment-annotations/contract/annotation'
import { view } from '../address/navigation.ts'
import { DEFAULT_VIEW, type View } from '../address/view.ts'
import { writeFilter } from '../filters/filter.ts'
import { readField, readWords } from '../query/words.ts'
import { titleOf } from './annotation-view.ts'

export type Series = VerdictDetails['series'][number]
export type Carrier = Series['carriers'][number]

/** @returns the failing requests with the values that nearly all of them have; `undefined` if no more failed than before */
export function failingRequests(annotation: Annotation): { words: string; to: View } | undefined {
  const { windows, series = [] } = annotation.verdictDetails ?? {}
  const one = series.find(({ failing }) => failing)
  if (!one?.failing || !windows) return undefined
  const carriers = carriersAtFirst(one, annotation)
  const count = countStored(one, carriers, annotation)
  return { words: describeFailing(one, count), to: viewOfFailing(one, windows.after, carriers) }
}

/** @returns the carriers that filter before anybody presses one: how many events they have in common is stored */
export function carriersAtFirst({ failing, carriers }: Series, annotation: Annotation): Carrier[] {
  return failing?.carried === undefined ? [] : mainCarriers(carriers, titleOf(annotation))
}

/** @returns how many there are with these carriers; `undefined` if the judge did not count them */
export function countStored(one: Series, carriers: readonly Carrier[], annotation: Annotation): number | undefined {
  if (carriers.length === 0) return one.failing?.count
  const first = carriersAtFirst(one, annotation)
  return first.length === carriers.length && first.every((carrier) => carriers.includes(carrier))
    ? one.failing?.carried
    : undefined
}

/** @returns `31 failing requests`; `31 errors` where nobody counts requests */
export function describeFailing({ kind }: Series, count?: number): string {
  const what = kind === 'share' ? 'failing requests' : 'errors'
  return count === undefined ? what : `${count.toLocaleString('en')} ${what}`
}

/** @returns the events of the window after; conditions are filters, which the reader can remove, and a query of another form stays one */
export function viewOfFailing(
  { failing }: Series,
  after: Pick<View, 'startTime' | 'endTime'>,
  carriers: readonly Carrier[],
): View {
  const { apl = '' } = failing ?? {}
  const [source = '', ...conditions] = apl.split('\n| where ')
  const dataset = readField(readWords(source))
  const isPlain = dataset !== undefined && !conditions.some((condition) => condition.includes('|'))
  const pressed = carriers.flatMap(({ field, value }) => writeFilter(field, value) ?? [])
  const shown = isPlain ? { datasets: [dataset], filters: [...conditions, ...pressed], events: true } : { apl, filters: pressed }
  return { ...DEFAULT_VIEW, ...after, ...shown, page: 'explore', zone: view.value.zone }
}
