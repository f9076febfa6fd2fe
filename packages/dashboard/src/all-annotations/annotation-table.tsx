/** One page of the list of annotations: each links to its chart, and can be changed and deleted. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { describeDuration, formatTime } from '../address/format-time.ts'
import { titleOf, viewAround } from '../annotations/annotation-view.ts'
import { makerOf } from '../annotations/made-by.ts'
import { SafeLink } from '../annotations/markdown.tsx'
import { ResultSign } from '../annotations/result-sign.tsx'
import { TypeChip } from '../annotations/type-chip.tsx'
import { signOf, toneOf } from '../annotations/verdict.ts'
import { TableHead } from '../parts/table-head.tsx'
import { ViewLink } from '../parts/view-link.tsx'
import type { Makers } from '../service/makers.ts'
import { may } from '../service/session.ts'

interface AnnotationTableProps {
  annotations: readonly Annotation[]
  /** Absent until they are loaded. */
  makers: Makers | undefined
  zone: string
  onEdit: (annotation: Annotation) => void
  onDelete: (annotation: Annotation) => void
}

export function AnnotationTable({ annotations, ...props }: AnnotationTableProps) {
  return (
    <section class="annotation-scroll listing" aria-label="Annotations">
      <table class="card">
        <TableHead names={['Time', 'Title', 'Type', 'Datasets', 'Created by', 'Length', 'Link']} acts="Change or delete" />
        <tbody>
          {annotations.map((annotation) => (
            <Row key={annotation.id} annotation={annotation} {...props} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

type RowProps = Omit<AnnotationTableProps, 'annotations'> & { annotation: Annotation }

function Row({ annotation, makers, zone, onEdit, onDelete }: RowProps) {
  const { time, endTime, type, datasets, url } = annotation
  const title = titleOf(annotation)
  return (
    <tr>
      <td class="annotation-time" data-label="Time">
        <time dateTime={time}>{formatTime(time, zone).replace(/\.\d+/, '')}</time>
      </td>
      <td>
        <ResultSign annotation={annotation} />
        <ViewLink to={viewAround(annotation, { zone })}>{title}</ViewLink>
        {annotation.verdictDetails && (
          <span class={`hint verdict-line is-${toneOf(annotation)}`}>
            {signOf(annotation)} {annotation.verdictDetails.headline}
          </span>
        )}
      </td>
      <td data-label="Type">
        <TypeChip type={type} />
      </td>
      <td data-label="Datasets">{datasets.join(', ')}</td>
      <td data-label="Created by" title={annotation.createdBy}>
        {makers && makerOf(annotation, makers)}
      </td>
      <td data-label="Length">{endTime !== undefined && describeDuration(Date.parse(endTime) - Date.parse(time))}</td>
      <td data-label="Link">{url !== undefined && <SafeLink url={url}>{hostOf(url)}</SafeLink>}</td>
      <td>
        <span class="row">
          {may('annotations|update', datasets) && (
            <button type="button" aria-label={`Change ${title}`} onClick={() => onEdit(annotation)}>
              Change
            </button>
          )}
          {may('annotations|delete', datasets) && (
            <button type="button" class="danger" aria-label={`Delete ${title}`} onClick={() => onDelete(annotation)}>
              Delete
            </button>
          )}
        </span>
      </td>
    </tr>
  )
}

/** @returns the host of a link; a text that is no address is returned unchanged */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || url : url
}
