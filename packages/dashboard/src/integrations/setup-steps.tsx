/** The two steps to the first release, an event and a mark, each with the lines to paste for several ways to send it. */
import './setup-steps.css'
import { useState } from 'preact/hooks'
import { DEFAULT_VIEW } from '../address/view.ts'
import { Code } from '../parts/code.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { ViewLink } from '../parts/view-link.tsx'
import { STEPS } from './setup-lines.ts'

/** @param arrived what of each step has arrived, in words; absent where nothing is waited for */
export function SetupSteps({ dataset, arrived }: { dataset: string; arrived?: readonly (string | undefined)[] }) {
  const next = arrived?.indexOf(undefined)
  return (
    <>
      <ol class="setup-steps">
        {STEPS.map(({ title, waiting, lines }, at) => (
          <li key={title} class={arrived?.[at] ? 'is-done' : ''}>
            <h3>{title}</h3>
            <Ways lines={lines} dataset={dataset} state={arrived && (arrived[at] ?? waiting)} isNext={next === at} />
          </li>
        ))}
      </ol>
      <p class="hint">
        Both read your token from ANNOTATE_TOKEN. <ViewLink to={{ ...DEFAULT_VIEW, page: 'tokens' }}>Make a token</ViewLink> that
        may <code>ingest|create</code> and <code>annotations|…</code>.
      </p>
    </>
  )
}

interface WaysProps {
  lines: Readonly<Record<string, string>>
  dataset: string
  state: string | undefined
  isNext: boolean
}

function Ways({ lines, dataset, state, isNext }: WaysProps) {
  const [picked, pick] = useState(Object.keys(lines)[0] ?? '')
  const text = lines[picked]?.replaceAll('{origin}', location.origin).replaceAll('{dataset}', dataset) ?? ''
  return (
    <>
      <fieldset class="ways" aria-label="How">
        {Object.keys(lines).map((way) => (
          <button key={way} type="button" class="quiet" aria-pressed={way === picked} onClick={() => pick(way)}>
            {way}
          </button>
        ))}
      </fieldset>
      <Code>{text}</Code>
      <div class="row">
        <span role="status">{state}</span>
        <CopyButton text={text} label={isNext ? 'Copy the command' : 'Copy'} isNext={isNext} />
      </div>
    </>
  )
}
