/** What an example of a body would be shown as, with the mapping that is typed. Nothing is marked by it. */
import type { IntegrationMapping, PreviewResult } from '@deployment-annotations/contract/integration'
import { useState } from 'preact/hooks'
import { Facts } from '../parts/facts.tsx'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import type { FormView } from '../resources/fields.ts'
import { integrationRequests } from '../service/integrations.ts'
import { readJson } from './json.ts'

export function MappingPreview({ texts: { mapping = '', type = '', title = '' } }: FormView) {
  const [example, setExample] = useState('')
  const [shown, setShown] = useState<PreviewResult>()
  const { error, isBusy, attempt } = useAttempt()
  const preview = async () => {
    setShown(undefined)
    const asked = { platform: 'generic', type, title, body: readJson('example', example) } as const
    const typed = mapping !== '' && { mapping: readJson('mapping', mapping) as IntegrationMapping }
    setShown(await integrationRequests.preview({ ...asked, ...typed }))
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
      <button type="button" disabled={isBusy} onClick={() => void attempt(preview)}>
        Show the annotation
      </button>
      <Failure error={error} />
      <div aria-live="polite">
        {shown?.marks.map((mark, at) => (
          <Facts key={at} of={Object.entries(mark).map(([member, value]) => [member, String(value)] as const)} />
        ))}
      </div>
    </details>
  )
}
