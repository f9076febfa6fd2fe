/** The verdict that the service keeps with an annotation, as a report. */
import type { Report } from '@deployment-annotations/compare/report'
import type { Annotation } from '@deployment-annotations/contract/annotation'

/**
 * @param page the address of the page that shows the annotation, if it is known
 * @returns the verdict that the service has stored; `undefined` where there is none, or only a first look that said nothing
 */
export function readVerdict({ title, type, verdict, verdictDetails }: Annotation, page: string | undefined): Report | undefined {
  if (verdict === undefined || verdictDetails === undefined) return undefined
  if (verdictDetails.isEarly && verdict !== 'worse' && verdict !== 'gone') return undefined
  const { judgedAt, notes } = verdictDetails
  return { ...verdictDetails, verdict, event: title ?? type, page, notes: [`The service judged it at ${judgedAt}.`, ...notes] }
}
