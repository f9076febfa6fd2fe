/** The expressions by which bodies of another form are read, and what an example would be shown as. */
import { MAPPING_POINTS_MAX } from '@deployment-annotations/contract/integration'
import type { PreviewResult } from '@deployment-annotations/contract/schemas/integration'
import { useState } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { previewIntegration } from '../service/integrations.ts'
import { MAPPING_EXAMPLE, readMapping, type SettingTexts } from './platform-text.ts'

interface MappingFieldProps {
  texts: SettingTexts
  onChange: (mapping: string) => void
}

export function MappingField({ texts, onChange }: MappingFieldProps) {
  return (
    <>
      <Field
        id="integration-mapping"
        label="How to read bodies of another form, one member a line"
        rows={4}
        spellcheck={false}
        maxLength={MAPPING_POINTS_MAX * 20}
        placeholder={MAPPING_EXAMPLE}
        value={texts.mapping}
        onText={onChange}
        hint="Empty for the form of the script. What stands in braces is a member of the body, or the first of several that is there. “state: DONE = succeeded” says what a word of the sender means."
      />
      <Preview texts={texts} />
    </>
  )
}

/** Nothing is marked by it. */
function Preview({ texts }: { texts: SettingTexts }) {
  const [example, setExample] = useState('')
  const [shown, setShown] = useState<PreviewResult>()
  const { error, isBusy, attempt } = useAttempt()
  const look = async () => {
    setShown(undefined)
    const mapping = readMapping(texts.mapping)
    const { type, title, platform } = texts
    setShown(await previewIntegration({ platform, type, title, body: parseExample(example), ...(mapping && { mapping }) }))
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
        Show the mark
      </button>
      <Failure error={error} />
      <div aria-live="polite">
        {shown?.marks.map(({ ignored, deployment, state, time, endTime, title, description, type }, i) =>
          ignored === undefined ? (
            <dl key={i} class="facts">
              <dt>Title</dt>
              <dd>
                {title} <span class="chip">{type}</span>
              </dd>
              <dt>State</dt>
              <dd>
                {state} of <code class="clip">{deployment}</code>
              </dd>
              <dt>Time</dt>
              <dd>{endTime === undefined ? time : `${time} to ${endTime}`}</dd>
              <dt>Description</dt>
              <dd>{description}</dd>
            </dl>
          ) : (
            <p key={i}>Not marked: {ignored}</p>
          ),
        )}
      </div>
    </details>
  )
}

function parseExample(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The example is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}
