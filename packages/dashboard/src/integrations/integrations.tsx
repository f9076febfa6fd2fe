/** The page of integrations: whose deployment webhooks are annotated, who is notified, and how else annotations and events get here. */
import './integrations.css'
import { TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import {
  INTEGRATION_NAME_POINTS_MAX,
  INTEGRATION_TITLE_DEFAULT,
  INTEGRATION_TYPE_DEFAULT,
  type Integration,
  MAPPING_POINTS_MAX,
  type MadeIntegration,
  TITLE_FACTS,
  WEBHOOK_SECRET_LENGTH_MAX,
  WEBHOOK_SECRET_LENGTH_MIN,
} from '@deployment-annotations/contract/integration'
import { PLATFORMS, type PlatformName, platformRow } from '@deployment-annotations/contract/platform'
import { Notifiers } from '../notifiers/notifiers.tsx'
import { CopyLines } from '../parts/copy.tsx'
import type { FieldOf, FormOf, FormState, FormView, Texts } from '../resources/fields.ts'
import type { ActionProps, Resource } from '../resources/resource.ts'
import { ResourceForm } from '../resources/resource-form.tsx'
import { ResourceSection } from '../resources/resource-page.tsx'
import { integrationRequests } from '../service/integrations.ts'
import { user } from '../service/session.ts'
import { Deliveries, DeliveryLine } from './deliveries.tsx'
import { MappingPreview } from './mapping-preview.tsx'
import {
  describeEnvironments,
  MAPPING_EXAMPLE,
  OUTCOMES,
  readMapping,
  readRules,
  webhookUrl,
  writeMapping,
  writeRule,
} from './platform-text.ts'
import { Setup } from './setup.tsx'
import { SetupSteps } from './setup-steps.tsx'

/** People who have just set up a webhook wait for its first delivery. */
const REFRESH_MS = 5_000

const rowOf = ({ platform }: Texts) => platformRow(platform as PlatformName)
const environmentsOf = (texts: Texts) => rowOf(texts).environments.join(', ')
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
  write: (text) => text.trim(),
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
  {
    name: 'datasets',
    label: 'Datasets to mark',
    kind: 'datasets',
    required: true,
    missing: 'Choose at least one dataset to mark.',
  },
  { name: 'name', label: 'Name', maxLength: INTEGRATION_NAME_POINTS_MAX, placeholder: ({ texts }) => texts.platform ?? '' },
  {
    name: 'environments',
    label: 'Only these environments, separated by commas',
    kind: 'names',
    placeholder: 'all',
    initial: platformRow('github').environments.join(', '),
  },
  {
    name: 'rules',
    label: 'Elsewhere, one rule a line: the first that matches counts',
    rows: 3,
    placeholder: 'acme/shop-* | staging | shop-staging | staging-deploy',
    hint: 'Repository or project, environment, datasets, type, between bars. Nothing stands for any, * for any characters; without datasets it is not marked.',
    read: (rules: Integration['rules']) => rules.map(writeRule).join('\n'),
    write: readRules,
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
    label: 'How to read bodies of another form, one member a line',
    rows: 4,
    maxLength: MAPPING_POINTS_MAX * 20,
    placeholder: MAPPING_EXAMPLE,
    hint: 'Empty for the form of the script. What stands in braces is a member of the body, or the first of several that is there. “state: DONE = succeeded” says what a word of the sender means.',
    read: writeMapping,
    // Without one, bodies are in the form of the script again.
    write: (text) => readMapping(text) ?? null,
    isShown: ({ texts }) => texts.platform === 'generic',
  },
  SECRET,
]

const FORM: FormOf = {
  fields: FIELDS,
  // Another platform has other default environments, unless others were typed.
  adapt: (texts, before) =>
    texts.platform === before.platform || texts.environments !== environmentsOf(before)
      ? texts
      : { ...texts, environments: environmentsOf(texts) },
  Panel,
}

const INTEGRATIONS: Resource<Integration> = {
  title: 'Integrations',
  noun: 'integration',
  permission: 'integrations',
  requests: integrationRequests,
  refreshMs: () => REFRESH_MS,
  sign: ({ lastDelivery }) => (lastDelivery ? OUTCOMES[lastDelivery.outcome] : { sign: '○', words: 'no delivery yet' }),
  sentence: ({ environments, datasets, rules }) => (
    <>
      Marks {describeEnvironments(environments)} on {datasets.join(', ')}
      {rules.length > 0 && `, but for ${rules.length === 1 ? '1 rule' : `${rules.length} rules`}`}
    </>
  ),
  columns: [
    { name: 'Platform', cell: ({ platform }) => platformRow(platform).label },
    {
      name: 'Last delivery',
      cell: ({ lastDelivery, datasets }) =>
        lastDelivery ? <DeliveryLine delivery={lastDelivery} datasets={datasets} /> : 'none yet',
    },
  ],
  Details: ({ one }) => (
    <>
      <Deliveries integration={one} />
      <details>
        <summary>
          Setup <span class="visually-hidden">of {one.name}</span>
        </summary>
        <Setup platform={one.platform} id={one.id} />
      </details>
    </>
  ),
  none: 'None yet. GitHub, Vercel, Netlify or a script of your own can report each deployment by a webhook, where no workflow runs it: it is marked while it is in progress, and becomes a span that says how it went.',
  form: FORM,
  actions: [{ words: 'Replace the secret', View: ReplaceSecret }],
  deletion: {
    about:
      'Its webhooks are refused from the next one on, and its secret is gone. Its annotations stay; the end of a deployment in progress is not marked.',
  },
  shownOnce: (made: MadeIntegration) => shownOnce(made, 'Integration created'),
}

export function Integrations() {
  if (!user.value) return <p class="hint">Loading…</p>
  return (
    <div class="stack">
      <h1>Integrations</h1>
      <ResourceSection resource={INTEGRATIONS} heading="Deployments reported by webhook" />
      <Notifiers />
      <section aria-labelledby="send-data" class="card send-data">
        <h2 id="send-data">Send annotations and events yourself</h2>
        <SetupSteps dataset="web" />
      </section>
    </div>
  )
}

function Panel(form: FormView) {
  const { platform } = form.texts
  if (platform === 'generic') return <MappingPreview {...form} />
  if (!form.isNew || !makesOwnSecret(form)) return null
  return (
    <>
      <p class="hint">
        {rowOf(form.texts).label} makes the secret: first create the webhook there, with this address, and then come back with the
        secret.
      </p>
      <CopyLines text={webhookUrl(location.origin, platform as PlatformName)} of="the address" />
    </>
  )
}

function ReplaceSecret({ one: { id, name, platform }, onClose, onDone }: ActionProps<Integration>) {
  return (
    <ResourceForm
      title="Replace the secret?"
      form={{ fields: [SECRET], read: () => ({ platform }) }}
      one={{}}
      isNew
      action="Replace"
      task={async (body) => onDone(shownOnce(await integrationRequests.regenerate(id, body), 'Secret replaced'))}
      isDangerous
      onClose={onClose}
    >
      <p>
        <strong class="clip">{name}</strong>
      </p>
      <p>
        The present secret is refused at once. Webhooks that {platformRow(platform).label} sends before it has the new one are
        refused too, and not all platforms send them again.
      </p>
    </ResourceForm>
  )
}

function shownOnce({ id, name, platform, secret }: MadeIntegration, title: string) {
  return {
    title,
    text: secret,
    what: 'secret' as const,
    after: <Setup platform={platform} id={id} />,
    children:
      secret === undefined ? (
        <>
          <strong class="clip">{name}</strong> takes what {platformRow(platform).label} signs with the secret that you gave.
        </>
      ) : (
        <>
          This is the secret of <strong class="clip">{name}</strong>. It is shown only this once: give it to the platform now.
        </>
      ),
  }
}
