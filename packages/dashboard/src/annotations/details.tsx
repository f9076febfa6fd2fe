/** What few people ask of an annotation, folded where a verdict stands above it: its members, the method, and who made it. */
import { restOf, rowsOf } from '@deployment-annotations/compare/report'
import { capitalize } from '@deployment-annotations/compare/words'
import type { Annotation, VerdictDetails } from '@deployment-annotations/contract/annotation'
import { describeDuration, formatClock } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import type { Makers } from '../service/makers.ts'
import { describeOpen, describePipeline } from './annotation-view.ts'
import { makerOf } from './made-by.ts'
import { Markdown, SafeLink } from './markdown.tsx'
import { VerdictTable } from './verdict-table.tsx'
import { listTags } from './visible.ts'

interface DetailsProps {
  annotation: Annotation
  /** The names of makers of annotations; absent while they are not known. */
  makers: Makers | undefined
}

export function Details({ annotation, makers }: DetailsProps) {
  const { url, description, verdictDetails } = annotation
  const minor = verdictDetails ? rowsOf(verdictDetails, true) : []
  const names = [url && 'job', description && 'description', ...minor.map(({ name }) => name), 'method']
  const parts = verdictDetails ? names.filter(Boolean) : ['details']
  return (
    <details class="details" open={!verdictDetails}>
      <summary>{capitalize(parts.join(', '))}</summary>
      {verdictDetails && description !== undefined && <Markdown text={description} />}
      {verdictDetails && <VerdictTable rows={minor} details={verdictDetails} />}
      {verdictDetails && <Method {...verdictDetails} />}
      <Members annotation={annotation} makers={makers} />
    </details>
  )
}

function Method({ windows, notes, ...details }: VerdictDetails) {
  const clock = (time: string) => formatClock(time, view.value.zone, Date.now())
  const [before, after] = [windows.before, windows.after].map((one) => `${clock(one.startTime)} to ${clock(one.endTime)}`)
  return <p class="hint">{`${after} compared with ${before}. ${[restOf(details), ...notes].join(' ')}`.trim()}</p>
}

function Members({ annotation, makers }: DetailsProps) {
  const { id, datasets, time, endTime, type, url, open, createdAt, createdBy } = annotation
  const tags = listTags(annotation)
  const end = endTime !== undefined && <Moment time={endTime} />
  return (
    <Facts
      of={[
        ['Type', type],
        ['Result', describePipeline(annotation) || undefined],
        ['Datasets', datasets.join(', ')],
        ['Tags', tags.length > 0 && tags.map(([name, value]) => (name === 'tag' ? value : `${name} ${value}`)).join(', ')],
        [end || open ? 'Start' : 'Time', <Moment key="time" time={time} />],
        ['End', open ? describeOpen(annotation, Date.now()) : end],
        ['Duration', endTime !== undefined && describeDuration(Date.parse(endTime) - Date.parse(time))],
        ['Link', url !== undefined && <SafeLink url={url}>{url}</SafeLink>],
        ['Created by', createdAt !== undefined && ((makers && makerOf(annotation, makers)) ?? ''), { title: createdBy }],
        ['Created at', createdAt !== undefined && <Moment time={createdAt} />],
        ['ID', id, { class: 'mono' }],
      ]}
    />
  )
}
