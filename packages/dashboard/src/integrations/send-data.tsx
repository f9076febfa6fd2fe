/** Lines to paste elsewhere, which send annotations and events without an integration. */
import { useState } from 'preact/hooks'
import { CopyLines } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { elasticLines, eventLines, markLines, otlpLines, stepLines } from '../parts/setup-lines.ts'
import { useLoad } from '../parts/use-load.ts'
import { datasetRequests } from '../service/datasets.ts'
import { may } from '../service/session.ts'

const WAYS = [
  { name: 'A workflow step: GitHub, Gitea, Forgejo', needs: 'annotations|…', lines: stepLines },
  { name: 'An annotation from a shell, or from any other CI', needs: 'annotations|create', lines: markLines },
  { name: 'Events from a shell', needs: 'ingest|create', lines: eventLines },
  { name: 'Traces, logs and metrics of OpenTelemetry', needs: 'ingest|create', lines: otlpLines },
  { name: 'What sends to Elasticsearch, such as Filebeat', needs: 'ingest|create', lines: elasticLines },
] as const

export function SendData() {
  const { data } = useLoad(may('datasets|read') ? datasetRequests.list : undefined, [])
  const [typed, setTyped] = useState<string>()
  const dataset = typed ?? data?.[0]?.name ?? 'web'
  return (
    <section aria-labelledby="send-data" class="card send-data">
      <h2 id="send-data">Send annotations and events yourself</h2>
      <p class="hint">
        Create a token for each on the page “Tokens”. It goes where TOKEN stands, or into a secret; these lines do not have it.
      </p>
      <Field
        id="send-dataset"
        label="For the dataset "
        choices={data?.map(({ name }) => name)}
        value={dataset}
        onText={setTyped}
      />
      {WAYS.map(({ name, needs, lines }) => (
        <details key={name}>
          <summary>{name}</summary>
          <p class="hint">
            The token needs the permission <code>{needs}</code>.
          </p>
          <CopyLines text={lines(location.origin, dataset)} of="these lines" />
        </details>
      ))}
    </section>
  )
}
