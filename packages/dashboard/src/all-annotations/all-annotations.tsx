/** The page of all annotations: the list and the form of every resource, in which words find one. Each leads to its chart. */
import type { Annotation, NewAnnotation } from '@deployment-annotations/contract/annotation'
import { navigate, view } from '../address/navigation.ts'
import { describeTook, titleOf, viewAround } from '../annotations/annotation-view.ts'
import { startOf } from '../annotations/list-annotations.ts'
import { makerOf } from '../annotations/made-by.ts'
import { SafeLink } from '../annotations/markdown.tsx'
import { useMakers } from '../annotations/use-makers.ts'
import { headlineOf, isRelease, signOf } from '../annotations/verdict.ts'
import { findWords } from '../annotations/visible.ts'
import { Failure } from '../parts/failure.tsx'
import { Moment } from '../parts/moment.tsx'
import { Select } from '../parts/select.tsx'
import type { Resource } from '../resources/resource.ts'
import { ResourceSection } from '../resources/resource-page.tsx'
import { annotationRequests } from '../service/annotations.ts'
import type { Makers } from '../service/makers.ts'
import { formOf } from './annotation-form.tsx'

const ROWS_MAX = 50
const SINCE = [['', 'any time'] as const, ...[7, 30, 90].map((days) => [`now-${days}d`, `last ${days} days`] as const)]

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
    sign: (one) => ({ sign: signOf(one), words: '', ...(one.hurtsNow && { tone: 'bad' }) }),
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
  const { makers = new Map(), error } = useMakers()
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

/** What is said of a release, or else how long it took; and where it leads. */
function Sentence({ one }: { one: Annotation }) {
  const { url } = one
  const nowMs = Date.now()
  return (
    <>
      {isRelease(one) ? headlineOf(one, nowMs) : describeTook(one, nowMs)}{' '}
      {url !== undefined && <SafeLink url={url}>{URL.parse(url)?.host || url}</SafeLink>}
    </>
  )
}
