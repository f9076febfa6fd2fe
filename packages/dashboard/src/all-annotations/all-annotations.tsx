/** The page of all annotations: the list and the form of every resource, in which words find one. Each leads to its chart. */
import type { Annotation, NewAnnotation } from '@deployment-annotations/contract/annotation'
import { describeDuration } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { titleOf, viewAround } from '../annotations/annotation-view.ts'
import { startOf } from '../annotations/list-annotations.ts'
import { makerOf } from '../annotations/made-by.ts'
import { SafeLink } from '../annotations/markdown.tsx'
import { ResultSign } from '../annotations/result-sign.tsx'
import { useMakers } from '../annotations/use-makers.ts'
import { signOf, toneOf } from '../annotations/verdict.ts'
import { findWords } from '../annotations/visible.ts'
import { Failure } from '../parts/failure.tsx'
import { Moment } from '../parts/moment.tsx'
import { lastDays, Select } from '../parts/select.tsx'
import type { Resource } from '../resources/resource.ts'
import { ResourceSection } from '../resources/resource-page.tsx'
import { annotationRequests } from '../service/annotations.ts'
import type { Makers } from '../service/makers.ts'
import { formOf } from './annotation-form.tsx'

const ROWS_MAX = 50
const SINCE = [['', 'any time'] as const, ...[1, 7, 30, 90].map(lastDays)]
const NOBODY: Makers = new Map()

type Listed = Annotation & { name: string }

function listedWith(makers: Makers): Resource<Listed> {
  const makerIn = (one: Annotation) => makerOf(one, makers) ?? ''
  return {
    title: 'Annotations',
    noun: 'annotation',
    permission: 'annotations',
    requests: {
      list: async (signal) => {
        const all = await annotationRequests.list({ start: startOf(view.value.since) }, signal)
        return all.map((one) => ({ ...one, name: titleOf(one) }))
      },
      create: (body) => annotationRequests.create(body as NewAnnotation),
      change: annotationRequests.change,
      delete: annotationRequests.delete,
    },
    datasetsOf: ({ datasets }) => datasets,
    rowsMax: ROWS_MAX,
    // The newest come first.
    rank: ({ time }) => -Date.parse(time),
    find: (all, words) => findWords(all, words, (one) => [makerIn(one), ...one.datasets]),
    sign: (one) => ({ sign: signOf(one), words: '', ...(toneOf(one) === 'bad' && { tone: 'bad' }) }),
    link: (one) => viewAround(one, view.value),
    sentence: (one) => <Sentence one={one} />,
    columns: [
      { name: 'Type', cell: ({ type }) => <span class="chip">{type}</span> },
      { name: 'Datasets', cell: ({ datasets }) => datasets.join(', ') },
      { name: 'Created by', cell: makerIn },
      { name: 'Time', cell: ({ time }) => <Moment time={time} /> },
    ],
    none: 'No annotations yet.',
    form: formOf(),
    deletion: { about: ({ datasets }) => <p>It will disappear from the charts of {datasets.join(', ')}.</p> },
  }
}

export function AllAnnotations() {
  const { since } = view.value
  const { makers = NOBODY, error } = useMakers(0)
  return (
    <>
      <Failure error={error} />
      <ResourceSection
        key={since}
        resource={listedWith(makers)}
        choices={<Select name="From" value={since} options={SINCE} onPick={(picked) => navigate({ since: picked }, true)} />}
      />
    </>
  )
}

/** The verdict, or else how long it took; and where it leads. */
function Sentence({ one }: { one: Annotation }) {
  const { verdictDetails, time, endTime, url } = one
  const length = endTime === undefined ? '' : `for ${describeDuration(Date.parse(endTime) - Date.parse(time))}`
  return (
    <>
      <ResultSign annotation={one} />
      {verdictDetails?.headline ?? length} {url !== undefined && <SafeLink url={url}>{hostOf(url)}</SafeLink>}
    </>
  )
}

/** @returns the host of a link; a text that is no address is returned unchanged */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || url : url
}
