/** Shows the members of an annotation, whose title stands above. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { describeDuration } from '../address/format-time.ts'
import { styleOf } from '../address/type-colors.ts'
import { Moment } from '../parts/moment.tsx'
import type { Makers } from '../service/makers.ts'
import { describeOpen } from './annotation-view.ts'
import { makerOf } from './made-by.ts'
import { Markdown, SafeLink } from './markdown.tsx'
import { resultOf } from './result.ts'
import { ResultSign } from './result-sign.tsx'
import { listTags } from './visible.ts'

export function Details({ annotation }: { annotation: Annotation }) {
  const { datasets, time, endTime, description, type, url, open } = annotation
  return (
    <>
      <dl class="facts">
        <dt>Type</dt>
        <dd>
          <span class="chip" style={styleOf(type)}>
            {type}
          </span>
        </dd>
        {resultOf(annotation) && (
          <>
            <dt>Result</dt>
            <dd>
              <ResultSign annotation={annotation} />
              <span aria-hidden="true">{resultOf(annotation)}</span>
            </dd>
          </>
        )}
        <dt>Datasets</dt>
        <dd>{datasets.join(', ')}</dd>
        <Tags annotation={annotation} />
        <dt>{endTime === undefined && !open ? 'Time' : 'Start'}</dt>
        <dd>
          <Moment time={time} />
        </dd>
        {open && (
          <>
            <dt>End</dt>
            <dd>{describeOpen(annotation, Date.now())}</dd>
          </>
        )}
        {endTime !== undefined && (
          <>
            <dt>End</dt>
            <dd>
              <Moment time={endTime} />
            </dd>
            <dt>Duration</dt>
            <dd>{describeDuration(Date.parse(endTime) - Date.parse(time))}</dd>
          </>
        )}
        {url !== undefined && (
          <>
            <dt>Link</dt>
            <dd>
              <SafeLink url={url}>{url}</SafeLink>
            </dd>
          </>
        )}
      </dl>
      {description !== undefined && <Markdown text={description} />}
    </>
  )
}

/** Where it belongs, given or read from its texts. */
function Tags({ annotation }: { annotation: Annotation }) {
  const tags = listTags(annotation)
  if (tags.length === 0) return null
  return (
    <>
      <dt>Tags</dt>
      <dd class="tags">
        {tags.map(([name, value]) => (
          <span key={`${name}:${value}`} class="chip">
            {name === 'tag' ? value : `${name} ${value}`}
          </span>
        ))}
      </dd>
    </>
  )
}

interface OriginProps {
  annotation: Annotation
  /** The names of makers of annotations; absent while they are not known. */
  makers: Makers | undefined
}

/** Shows where an annotation comes from, which few people ask. */
export function Origin({ annotation, makers }: OriginProps) {
  const { id, createdAt, createdBy } = annotation
  return (
    <dl class="facts origin">
      {createdAt !== undefined && (
        <>
          <dt>Created by</dt>
          <dd title={createdBy}>{makers && makerOf(annotation, makers)}</dd>
          <dt>Created at</dt>
          <dd>
            <Moment time={createdAt} />
          </dd>
        </>
      )}
      <dt>ID</dt>
      <dd class="mono">{id}</dd>
    </dl>
  )
}
