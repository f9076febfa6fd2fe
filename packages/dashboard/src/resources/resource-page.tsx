/**
 * The page of a kind of resource, or a part of a page: its list, beside it the form of the one that the address names, and the dialogs of
 * what can be done to one.
 */
import '../parts/listing.css'
import './resources.css'
import type { Permission } from '@deployment-annotations/contract/permission'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import type { MenuAction } from '../parts/action-menu.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Failure } from '../parts/failure.tsx'
import { useLostFocus } from '../parts/focus.ts'
import { Pages, usePage } from '../parts/pages.tsx'
import { Search } from '../parts/search.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { may, user } from '../service/session.ts'
import { findIn, inOrder } from './find.ts'
import type { Action, Named, Once, Resource } from './resource.ts'
import { ResourceForm } from './resource-form.tsx'
import { ResourceList } from './resource-list.tsx'

/** In a narrower window the form stands in front of the list. */
const WIDE = '(min-width: 64rem)'

interface SectionProps<One extends Named> {
  resource: Resource<One>
  /** The heading of the list, if it is a part of a page. */
  heading?: string
  /** What limits the list besides words. */
  choices?: ComponentChildren
}

export function ResourceSection<One extends Named>(section: SectionProps<One>) {
  const { heading } = section
  const { title, permission } = section.resource
  // Until the token's permissions are known, nothing is requested.
  if (!user.value) return <p class="hint">Loading…</p>
  if (may(`${permission}|read`)) return <All {...section} />
  const words = title.toLowerCase()
  return (
    <>
      {heading === undefined && <h1>{title}</h1>}
      <p class="card">{`The token that you are signed in with may not see ${words}: it lacks the permission ${permission}|read.`}</p>
    </>
  )
}

function All<One extends Named>({ resource, ...head }: SectionProps<One>) {
  const all = useAll(resource)
  const { title, data, error, isLoading, refresh, asked, opened, isNew, none: None } = all
  return (
    <div class={`resources stack ${opened || isNew ? 'has-form' : ''}`} aria-busy={isLoading}>
      <section class="listing" aria-label={title}>
        <Head all={all} {...head} />
        <Failure error={error} onRetry={refresh} />
        {!data && isLoading && <p class="hint">Loading…</p>}
        {data?.length === 0 && (typeof None === 'string' ? <p class="card">{None}</p> : <None onStart={all.create} />)}
        <Rows all={all} />
      </section>
      {(isNew || opened) && <Beside key={view.value.open} all={all} />}
      {asked && <Question all={all} asked={asked} />}
    </div>
  )
}

/** A dialog in front of the page: an action that asks for more, a deletion, or what is shown only once. */
type Asked<One> = { one: One; action: Action<One> | 'delete' } | { once: Once }

const NONE: readonly never[] = []

/** Loads all, finds those that are shown, and says which form and which dialog is open. */
function useAll<One extends Named>(resource: Resource<One>) {
  const { requests, noun, permission, rank, find = findIn, refreshMs, useRows, isMadeElsewhere } = resource
  const [intervalMs, setIntervalMs] = useState(refreshMs?.([]))
  const [version, refresh] = useRefresh(intervalMs)
  const loaded = useLoad(requests.list, [version])
  const data = loaded.data ?? NONE
  useEffect(() => setIntervalMs(refreshMs?.(data)), [data])
  const { text: words } = view.value
  const ordered = useMemo(() => inOrder(data, rank), [data])
  const { page, shown } = usePage(find(ordered, words), resource.rowsMax ?? Number.POSITIVE_INFINITY)
  const [draft, setDraft] = useState<object>()
  const [asked, ask] = useState<Asked<One>>()
  const start = (members?: object) => {
    setDraft(members)
    navigate({ open: `new-${noun}` })
  }
  return {
    ...resource,
    ...loaded,
    change: requests.change && (resource.change ?? 'Change'),
    refresh,
    words,
    onWords: (text: string) => {
      navigate({ text }, true)
      page.onFirst(0)
    },
    page,
    rows: useRows?.(shown, data) ?? shown,
    isNew: view.value.open === `new-${noun}`,
    opened: data.find(({ id }) => id === view.value.open),
    /** Members that a new one starts with. */
    draft,
    create: !isMadeElsewhere && may(`${permission}|create`) ? start : undefined,
    asked,
    ask,
    /** Closes what is open. @param once what is to be shown once */
    done: (once?: Once) => {
      closeForm()
      ask(once && { once })
      refresh()
    },
    mayAct: (needed: Permission, one: One) => may(needed, resource.datasetsOf?.(one)),
  }
}

type AllOf<One extends Named> = ReturnType<typeof useAll<One>>

function closeForm(): void {
  if (view.value.open !== '') navigate({ open: '' })
}

function Head<One extends Named>({ all, heading, choices }: { all: AllOf<One> } & Omit<SectionProps<One>, 'resource'>) {
  const { title, noun, about, data = NONE, words, onWords, page, create } = all
  const place = useLostFocus<HTMLHeadingElement>(data.length)
  const Heading = heading === undefined ? 'h1' : 'h2'
  return (
    <>
      <div class="row">
        <Heading ref={place} tabIndex={-1}>
          {heading ?? title}
        </Heading>
        <span class="row push">
          {choices}
          {data.length > 0 && (
            <Search
              name={`Find ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`}
              placeholder="Find by name"
              value={words}
              onText={onWords}
            />
          )}
          {create && (
            <button type="button" onClick={() => create()}>
              New {noun}
            </button>
          )}
        </span>
      </div>
      {about && <p class="hint">{about}</p>}
      {(words !== '' || page.total > page.rows) && (
        <div class="row">
          <Pages {...page} none={`None of the ${title.toLowerCase()} is like that.`} words={['Previous', 'Next']} />
        </div>
      )}
    </>
  )
}

function Rows<One extends Named>({ all }: { all: AllOf<One> }) {
  const { permission, change, actions = [], deletion, isFixed, mayAct, ask } = all
  const [said, say] = useState<ComponentChildren>()
  const { error, attempt } = useAttempt()
  const run = (task: (one: One) => Promise<ComponentChildren>, one: One) =>
    void attempt(async () => {
      say(await task(one))
      all.refresh()
    })
  const actionsOf = (one: One): MenuAction[] => {
    if (isFixed?.(one)) return []
    const isChanged = mayAct(`${permission}|update`, one)
    return [
      { words: change ?? '', isOffered: change !== undefined && isChanged, act: () => navigate({ open: one.id }) },
      ...actions.map((action) => ({
        words: typeof action.words === 'string' ? action.words : action.words(one),
        isOffered: action.permission === undefined ? isChanged : mayAct(action.permission, one),
        act: () => (action.run ? run(action.run, one) : ask({ one, action })),
      })),
      {
        words: deletion.words ?? 'Delete',
        isOffered: mayAct(`${permission}|delete`, one),
        isDangerous: true,
        act: () => ask({ one, action: 'delete' }),
      },
    ]
  }
  return (
    <>
      <Failure error={error} />
      <div role="status">{said}</div>
      {all.rows.length > 0 && <ResourceList resource={all} rows={all.rows} actionsOf={actionsOf} />}
    </>
  )
}

/** The form of one, beside the list where there is room. */
function Beside<One extends Named>({ all }: { all: AllOf<One> }) {
  const { noun, permission, requests, form, opened: one, draft, change, shownOnce, Details, mayAct } = all
  // What was typed stays if the window becomes narrower.
  const [isBeside] = useState(() => matchMedia(WIDE).matches)
  const mayChange = !one || (change !== undefined && mayAct(`${permission}|update`, one))
  return (
    <ResourceForm
      title={one?.name ?? `New ${noun}`}
      form={form}
      one={one ?? draft}
      isNew={!one}
      isBeside={isBeside}
      {...(mayChange && { action: one ? 'Save' : 'Create' })}
      task={async (body) => {
        const made = await (one ? requests.change?.(one.id, body) : requests.create(body))
        all.done(one ? undefined : shownOnce?.(made as never))
      }}
      onClose={closeForm}
      after={one && Details && <Details one={one} />}
    >
      {one && <div class="sentence">{all.sentence(one)}</div>}
    </ResourceForm>
  )
}

function Question<One extends Named>({ all, asked }: { all: AllOf<One>; asked: Asked<One> }) {
  const { noun, requests, deletion, done, ask } = all
  const close = () => ask(undefined)
  if ('once' in asked) return <ShownOnce {...asked.once} onClose={close} />
  const { one, action } = asked
  if (action !== 'delete') return action.View ? <action.View one={one} onClose={close} onDone={done} /> : null
  const { words = 'Delete', about, isTyped = false, onDeleted } = deletion
  const task = async () => {
    await requests.delete(one.id)
    onDeleted?.(one)
    done()
  }
  return (
    <Confirm
      title={`${words} this ${noun}?`}
      name={one.name}
      isTyped={isTyped}
      action={words === 'Delete' ? 'Delete permanently' : words}
      task={task}
      onClose={close}
    >
      {typeof about === 'string' ? <p>{about}</p> : about(one)}
    </Confirm>
  )
}
