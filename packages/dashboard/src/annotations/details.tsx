/** Shows the members of an annotation, whose title stands above. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { describeDuration } from '../address/format-time.ts'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import type { Makers } from '../service/makers.ts'
import { describeOpen } from './annotation-view.ts'
import { makerOf } from './made-by.ts'
import { Markdown, SafeLink } from './markdown.tsx'
import { resultOf } from './result.ts'
import { ResultSign } from './result-sign.tsx'
import { TypeChip } from './type-chip.tsx'
import { listTags } from './visible.ts'

export function Details({ annotation }: { annotation: Annotation }) {
  const { datasets, time, endTime, description, type, url, open } = annotation
  const result = resultOf(annotation)
  const tags = listTags(annotation)
  const end = endTime !== undefined && <Moment time={endTime} />
  return (
    <>
      <Facts
        of={[
          ['Type', <TypeChip key="type" type={type} />],
          [
            'Result',
            result && (
              <>
                <ResultSign annotation={annotation} />
                <span aria-hidden="true">{result}</span>
              </>
            ),
          ],
          ['Datasets', datasets.join(', ')],
          [
            'Tags',
            tags.length > 0 &&
              tags.map(([name, value]) => (
                <span key={`${name}:${value}`} class="chip">
                  {name === 'tag' ? value : `${name} ${value}`}
                </span>
              )),
            { class: 'tags' },
          ],
          [end || open ? 'Start' : 'Time', <Moment key="time" time={time} />],
          ['End', open ? describeOpen(annotation, Date.now()) : end],
          ['Duration', endTime !== undefined && describeDuration(Date.parse(endTime) - Date.parse(time))],
          ['Link', url !== undefined && <SafeLink url={url}>{url}</SafeLink>],
        ]}
      />
      {description !== undefined && <Markdown text={description} />}
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
    <Facts
      class="origin"
      of={[
        ['Created by', createdAt !== undefined && ((makers && makerOf(annotation, makers)) ?? ''), { title: createdBy }],
        ['Created at', createdAt !== undefined && <Moment time={createdAt} />],
        ['ID', id, { class: 'mono' }],
      ]}
    />
  )
}
