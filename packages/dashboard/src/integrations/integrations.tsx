/** The page of integrations: whose deployment webhooks are annotated, who is notified, and how else annotations and events get here. */
import './integrations.css'
import { TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import {
  INTEGRATION_NAME_POINTS_MAX,
  INTEGRATION_TITLE_DEFAULT,
  INTEGRATION_TYPE_DEFAULT,
  type Integration,
  type MadeIntegration,
  TITLE_FACTS,
  WEBHOOK_SECRET_LENGTH_MAX,
  WEBHOOK_SECRET_LENGTH_MIN,
} from '@deployment-annotations/contract/integration'
import { PLATFORMS, type PlatformName, platformRow } from '@deployment-annotations/contract/platform'
import { NOTIFIERS } from '../notifiers/notifiers.tsx'
import { OpenedList } from '../parts/opened-list.tsx'
import type { FieldOf, FormState, FormView, Texts } from '../resources/fields.ts'
import type { ActionProps, Once, Resource } from '../resources/resource.ts'
import { ResourceForm } from '../resources/resource-form.tsx'
import { ResourceSection } from '../resources/resource-page.tsx'
import { integrationRequests } from '../service/integrations.ts'
import { DeliveryLine, OUTCOMES } from './delivery-line.tsx'
import { readJson, writeJson } from './json.ts'
import { MappingPreview } from './mapping-preview.tsx'
import { Setup } from './setup.tsx'
import { SetupSteps } from './setup-steps.tsx'

/** People who have just set up a webhook wait for its first delivery. */
const REFRESH_MS = 5_000

const rowOf = ({ platform }: Texts) => platformRow(platform as PlatformName)
const makesOwnSecret = ({ texts }: FormState) => rowOf(texts).makesOwnSecret === true
const isNew = (form: FormState) => form.isNew

const SECRET: FieldOf = {
  name: 'secret',
  label: 'Secret',
  kind: 'secret',
  minLength: WEBHOOK_SECRET_LENGTH_MIN,
  maxLength: WEBHOOK_SECRET_LENGTH_MAX,
  required: makesOwnSecret,
  hint: (form) =>
    makesOwnSecret(form)
      ? `${rowOf(form.texts).label} makes the secret, and shows it after its webhook was created there.`
      : 'If it is empty, the service creates one and shows it once.',
  isShown: isNew,
}

const FIELDS: readonly FieldOf[] = [
  {
    name: 'platform',
    label: 'Who reports the deployments',
    kind: 'choice',
    options: [...PLATFORMS].sort().map((name) => [name, platformRow(name).label]),
    initial: 'github',
    isShown: isNew,
  },
  { name: 'datasets', label: 'Datasets to mark', kind: 'datasets', required: true },
  { name: 'name', label: 'Name', maxLength: INTEGRATION_NAME_POINTS_MAX, placeholder: ({ texts }) => texts.platform ?? '' },
  {
    name: 'environments',
    label: 'Only these environments, separated by commas',
    kind: 'names',
    // The service takes those of the platform for a new one that names none.
    placeholder: ({ texts, isNew }) => (isNew && rowOf(texts).environments.join(', ')) || 'all',
  },
  {
    name: 'rules',
    label: 'Other datasets by rules, as JSON: the first that matches counts',
    rows: 3,
    required: true,
    initial: '[]',
    hint: 'Such as [{"projects": ["acme/shop-*"], "environments": ["staging"], "datasets": ["staging"], "type": "staging-deploy"}]. * stands for any characters; without datasets it is not marked.',
    read: writeJson,
    write: (text) => readJson('list of rules', text),
  },
  { name: 'type', label: 'Type of the annotations', kind: 'type', required: true, initial: INTEGRATION_TYPE_DEFAULT },
  {
    name: 'title',
    label: 'Title of the annotations',
    required: true,
    maxLength: TITLE_POINTS_MAX,
    initial: INTEGRATION_TITLE_DEFAULT,
    hint: `It may have ${TITLE_FACTS.map((fact) => `{${fact}}`).join(', ')}; what is not known leaves no gap.`,
  },
  {
    name: 'mapping',
    label: 'How to read bodies of another form, as JSON',
    rows: 4,
    placeholder: '{"deployment": "{run.id}", "state": "{run.result}", "states": {"DONE": "succeeded"}}',
    hint: 'Empty for the form of the script. What stands in braces is a member of the body; “states” says what the words of the sender mean.',
    read: writeJson,
    // Without one, bodies are in the form of the script again.
    write: (text) => (text === '' ? null : readJson('mapping', text)),
    isShown: ({ texts }) => texts.platform === 'generic',
  },
  SECRET,
]

const INTEGRATIONS: Resource<Integration> = {
  title: 'Integrations',
  noun: 'integration',
  permission: 'integrations',
  requests: integrationRequests,
  refreshMs: REFRESH_MS,
  sign: ({ lastDelivery }) => (lastDelivery ? OUTCOMES[lastDelivery.outcome] : { sign: '○', words: 'no delivery yet' }),
  sentence: ({ platform, environments, datasets, rules }) => (
    <>
      {platformRow(platform).label}: marks{' '}
      {environments.length === 0 ? 'all deployments' : `deployments to ${environments.join(', ')}`} on {datasets.join(', ')}
      {rules.length > 0 && `, but for ${rules.length === 1 ? '1 rule' : `${rules.length} rules`}`}
    </>
  ),
  columns: [
    {
      name: 'Last delivery',
      cell: ({ lastDelivery, datasets }) =>
        lastDelivery ? <DeliveryLine delivery={lastDelivery} datasets={datasets} /> : 'none yet',
    },
  ],
  Details: ({ one: { id, name, platform, datasets, lastDelivery } }) => (
    <>
      <OpenedList
        title="Last deliveries"
        of={name}
        load={(signal) => integrationRequests.deliveries(id, signal)}
        newest={`${id} ${lastDelivery?.time}`}
        none="None yet. What is not signed with the secret of an integration is refused, and counts for none: the log of the service has it as “webhook refused”."
        line={(delivery) => <DeliveryLine delivery={delivery} datasets={datasets} />}
      />
      <details>
        <summary>
          Setup <span class="visually-hidden">of {name}</span>
        </summary>
        <Setup platform={platform} id={id} />
      </details>
    </>
  ),
  none: 'None yet. GitHub, Vercel, Netlify or a script of your own can report each deployment by a webhook, where no workflow runs it: it is marked while it is in progress, and becomes a span that says how it went.',
  form: { fields: FIELDS, Panel },
  actions: [{ words: 'Replace the secret', View: ReplaceSecret }],
  deletion: {
    about:
      'Its webhooks are refused from the next one on, and its secret is gone. Its annotations stay; the end of a deployment in progress is not marked.',
  },
  shownOnce: (made: MadeIntegration) => secretOf(made, 'Integration created'),
}

export function Integrations() {
  return (
    <div class="stack">
      <h1>Integrations</h1>
      <ResourceSection resource={INTEGRATIONS} heading="Deployments reported by webhook" />
      <ResourceSection resource={NOTIFIERS} heading="Notifiers" />
      <section aria-labelledby="send-data" class="card send-data">
        <h2 id="send-data">Send annotations and events yourself</h2>
        <SetupSteps dataset="web" />
      </section>
    </div>
  )
}

/** Platforms that make the secret themselves have the webhook first. */
function Panel(form: FormView) {
  const platform = form.texts.platform as PlatformName
  if (platform === 'generic') return <MappingPreview {...form} />
  return form.isNew && makesOwnSecret(form) ? <Setup platform={platform} /> : null
}

function ReplaceSecret({ one: { id, name, platform }, onClose, onDone }: ActionProps<Integration>) {
  return (
    <ResourceForm
      title="Replace the secret?"
      form={{ fields: [SECRET], read: () => ({ platform }) }}
      one={{}}
      isNew
      action="Replace"
      task={async (body) => onDone(secretOf(await integrationRequests.regenerate(id, body), 'Secret replaced'))}
      isDangerous
      onClose={onClose}
    >
      <p>
        The present secret of <strong class="clip">{name}</strong> is refused at once. Webhooks that {platformRow(platform).label}{' '}
        sends before it has the new one are refused too, and not all platforms send them again.
      </p>
    </ResourceForm>
  )
}

/** @returns what is shown once, if the service made the secret */
function secretOf({ id, name, platform, secret }: MadeIntegration, title: string): Once | undefined {
  if (secret === undefined) return undefined
  return {
    title,
    text: secret,
    what: 'secret',
    after: <Setup platform={platform} id={id} />,
    children: (
      <>
        This is the secret of <strong class="clip">{name}</strong>. It is shown only this once: give it to the platform now.
      </>
    ),
  }
}
