/**
 * The page of a kind of resource, or a part of a page: its list, beside it the form of the one that the address names, and the dialogs of
 * what can be done to one.
 */
import '../parts/listing.css'
import './resources.css'
import type { Permission } from '@deployment-annotations/contract/permission'
import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { ActionMenu, type MenuAction } from '../parts/action-menu.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Failure } from '../parts/failure.tsx'
import { useLostFocus } from '../parts/focus.ts'
import { Search } from '../parts/search.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { may, user } from '../service/session.ts'
import { findIn, inOrder } from './find.ts'
import type { Action, Named, Once, Resource } from './resource.ts'
import { ResourceForm } from './resource-form.tsx'

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
  const { title, data, error, isLoading, refresh, asked, opened, isNew, none } = all
  const { words, rows, found, more } = all
  return (
    <div class={`resources stack ${opened || isNew ? 'has-form' : ''}`} aria-busy={isLoading}>
      <section class="listing" aria-label={title}>
        <Head all={all} {...head} />
        <Failure error={error} onRetry={refresh} />
        {!data && isLoading && <p class="hint">Loading…</p>}
        {data?.length === 0 && <p class="card">{none}</p>}
        <Rows all={all} />
        <p class="hint" role="status">
          {found === 0 && words !== '' && `None of the ${title.toLowerCase()} is like that.`}
          {found > 0 && (words !== '' || found > rows.length) && `${rows.length} of ${found.toLocaleString('en')}`}
        </p>
        {found > rows.length && (
          <button type="button" onClick={more}>
            Show more
          </button>
        )}
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
  const [version, refresh] = useRefresh(refreshMs)
  const loaded = useLoad(requests.list, [version])
  const data = loaded.data ?? NONE
  const { text: words } = view.value
  const ordered = useMemo(() => inOrder(data, rank), [data])
  const found = find(ordered, words)
  const { rowsMax: rowsFirst = Number.POSITIVE_INFINITY } = resource
  const [rowsMax, setRowsMax] = useState(rowsFirst)
  const shown = found.slice(0, rowsMax)
  const [asked, ask] = useState<Asked<One>>()
  return {
    ...resource,
    ...loaded,
    change: requests.change && (resource.change ?? 'Change'),
    refresh,
    words,
    found: found.length,
    more: () => setRowsMax(rowsMax + rowsFirst),
    rows: useRows?.(shown, data) ?? shown,
    isNew: view.value.open === `new-${noun}`,
    opened: data.find(({ id }) => id === view.value.open),
    mayCreate: !isMadeElsewhere && may(`${permission}|create`),
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
  const { title, noun, about, data = NONE, words, mayCreate } = all
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
              onText={(text) => navigate({ text }, true)}
            />
          )}
          {mayCreate && (
            <button type="button" onClick={() => navigate({ open: `new-${noun}` })}>
              New {noun}
            </button>
          )}
        </span>
      </div>
      {about && <p class="hint">{about}</p>}
    </>
  )
}

function Rows<One extends Named>({ all }: { all: AllOf<One> }) {
  const { rows, columns, permission, change, actions = [], deletion, isFixed, mayAct, ask } = all
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
      {rows.length > 0 && (
        <table class="card">
          <TableHead
            names={['Name', ...columns.map(({ name }) => name)]}
            numbers={columns.flatMap(({ name, isNumber }) => (isNumber ? name : []))}
            acts="Actions"
          />
          <tbody>
            {rows.map((one) => (
              <tr key={one.id} class={one.id === view.value.open ? 'is-open' : undefined}>
                <th scope="row">
                  <Name one={one} resource={all} />
                </th>
                {columns.map(({ name, isNumber, cell }) => (
                  <td key={name} data-label={name} class={isNumber ? 'number' : undefined}>
                    {cell(one)}
                  </td>
                ))}
                <td>
                  <ActionMenu of={one.name} actions={actionsOf(one)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

/** The sign of one, its name, which leads to its form or where the resource says, and its sentence. */
function Name<One extends Named>({ one, resource }: { one: One; resource: Resource<One> }) {
  const { sign, link, change, sentence } = resource
  const mark = sign?.(one)
  const to = link?.(one) ?? (change === undefined ? undefined : { ...view.value, open: one.id })
  const name = <span class="clip">{one.name}</span>
  return (
    <div class="head">
      {mark && (
        <span class={`sign is-${mark.tone ?? 'quiet'}`} aria-hidden="true">
          {mark.sign}
        </span>
      )}
      <div>
        {to ? (
          <ViewLink to={to} stays={!link}>
            {name}
          </ViewLink>
        ) : (
          name
        )}
        <div class="sentence">{sentence(one)}</div>
      </div>
    </div>
  )
}

/** The form of one, beside the list where there is room. */
function Beside<One extends Named>({ all }: { all: AllOf<One> }) {
  const { noun, permission, requests, form, opened: one, change, shownOnce, Details, mayAct } = all
  // What was typed stays if the window becomes narrower.
  const [isBeside] = useState(() => matchMedia(WIDE).matches)
  const mayChange = !one || (change !== undefined && mayAct(`${permission}|update`, one))
  return (
    <ResourceForm
      title={one?.name ?? `New ${noun}`}
      form={form}
      one={one}
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
