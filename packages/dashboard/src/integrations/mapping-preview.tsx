/** What an example of a body would be shown as, with the expressions that are typed. Nothing is marked by it. */
import type { PreviewResult } from '@deployment-annotations/contract/integration'
import { useState } from 'preact/hooks'
import { Facts } from '../parts/facts.tsx'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import type { FormView } from '../resources/fields.ts'
import { integrationRequests } from '../service/integrations.ts'
import { readMapping } from './platform-text.ts'

export function MappingPreview({ texts: { mapping = '', type = '', title = '' } }: FormView) {
  const [example, setExample] = useState('')
  const [shown, setShown] = useState<PreviewResult>()
  const { error, isBusy, attempt } = useAttempt()
  const look = async () => {
    setShown(undefined)
    const read = readMapping(mapping)
    const asked = { platform: 'generic', type, title, body: parseExample(example), ...(read && { mapping: read }) } as const
    setShown(await integrationRequests.preview(asked))
  }
  return (
    <details class="mapping-example">
      <summary>Try an example</summary>
      <Field
        id="integration-example"
        label="A body that the sender posts, as JSON"
        rows={4}
        spellcheck={false}
        value={example}
        onText={setExample}
      />
      <button type="button" disabled={isBusy} onClick={() => void attempt(look)}>
        Show the annotation
      </button>
      <Failure error={error} />
      <div aria-live="polite">
        {shown?.marks.map((mark, i) => (
          <Outcome key={i} mark={mark} />
        ))}
      </div>
    </details>
  )
}

function Outcome({ mark }: { mark: PreviewResult['marks'][number] }) {
  const { ignored, deployment, state, time, endTime, title, description, type } = mark
  if (ignored !== undefined) return <p>Not marked: {ignored}</p>
  const heading = (
    <>
      {title} <span class="chip">{type}</span>
    </>
  )
  const course = (
    <>
      {state} of <code class="clip">{deployment}</code>
    </>
  )
  const when = endTime === undefined ? time : `${time} to ${endTime}`
  return (
    <Facts
      of={[
        ['Title', heading],
        ['State', course],
        ['Time', when],
        ['Description', description],
      ]}
    />
  )
}

function parseExample(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The example is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}
