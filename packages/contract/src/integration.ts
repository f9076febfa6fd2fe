/**
 * Integrations, which create annotations for the deployments of a platform, and the webhooks that the platforms send. Specific to this
 * service. A secret is only ever in the answer that makes it. The bodies of webhooks are for the document: the code of each platform reads
 * them, because the signature is over the bytes.
 */
import { ANNOTATION_TYPE, TITLE_POINTS_MAX } from './annotation.ts'
import { type Calls, callsOn } from './call.ts'
import { ANSWERED_DATASET_NAME, DATASET_NAME } from './dataset-name.ts'
import { operations } from './operation.ts'
import { PLATFORMS, type PlatformName, platformRow } from './platform.ts'
import {
  anyOf,
  byHand,
  closed,
  type Infer,
  list,
  object,
  oneOf,
  optional,
  record,
  refined,
  requestBody,
  SECRET_KEYWORD,
  schemaOf,
  sent,
  storableTime,
  text,
  time,
  titled,
} from './schema.ts'
import { toSegment } from './text.ts'

/** The statuses that a deployment of the platform `generic` can report. */
export const DEPLOYMENT_STATUSES = ['started', 'succeeded', 'failed', 'canceled'] as const

/** What became of the annotation of a webhook; a repeat is `unchanged`. */
const WEBHOOK_OUTCOMES = ['created', 'changed', 'unchanged', 'ignored'] as const

const INTEGRATION_ID_PATTERN = /^int_[A-Za-z0-9_-]{1,64}$/

/** The facts about a deployment that a title can contain, each in braces. */
export const TITLE_FACTS = ['project', 'environment', 'version', 'branch', 'commit', 'by'] as const

export function isTitleFact(text: string | undefined): text is (typeof TITLE_FACTS)[number] {
  return (TITLE_FACTS as readonly unknown[]).includes(text)
}

export const INTEGRATION_TYPE_DEFAULT = 'deploy'
export const INTEGRATION_TITLE_DEFAULT = '{project} {environment} {version}'

/** All of them are in the memory of the service. */
export const INTEGRATIONS_PER_PLATFORM_MAX = 1_000
/** Where an address names no integration, so many secrets, the oldest, are tried on each request that claims to be signed. */
export const TRIED_WITHOUT_ID_MAX = 32
/** How many rules an integration can have. */
const INTEGRATION_RULES_MAX = 100
/** Somebody who has one signed request can guess short secrets offline. Secrets of the platforms have at least 24 characters. */
export const WEBHOOK_SECRET_LENGTH_MIN = 16
export const WEBHOOK_SECRET_LENGTH_MAX = 1_024
/** How many datasets, and how many environments, one integration can have. */
const INTEGRATION_ITEMS_MAX = 100
/** The longest name of an integration or of an environment, in Unicode code points. */
export const INTEGRATION_NAME_POINTS_MAX = 256

/** The longest expression of a mapping, in Unicode code points. */
const MAPPING_POINTS_MAX = 512
/** How many words of states a mapping can explain. */
const MAPPING_STATES_MAX = 100

/** How many deliveries are kept for each integration. */
export const DELIVERIES_KEPT = 20

/** The list has each with its last delivery. After a delete, webhooks are refused; the annotations that were made of them stay. */
export const INTEGRATION_CALLS = {
  ...callsOn('/v2/integrations'),
  /** The last webhooks that its secret had signed, the newest first. */
  deliveries: { call: 'GET /v2/integrations/{id}/deliveries', list: 'time' },
  /** Puts a new secret in place of the old one, at once; not sent again where its answer is lost. */
  regenerate: { call: 'POST /v2/integrations/{id}/regenerate', takes: 'body', one: 'id', isSentOnce: true },
  /** How a body would be read and marked; nothing is stored. */
  preview: { call: 'POST /v2/integrations/preview', takes: 'body', lists: ['marks'] },
} as const satisfies Calls

/** @returns where the webhooks of an integration go; without an id, those of the oldest integrations of the platform */
export function webhookPath(platform: PlatformName, id?: string): `/${string}` {
  return `/v1/integrations/${platform}${id === undefined ? '' : `/${toSegment(id)}`}`
}

const name = (description = '') => text(description, { minLength: 1, maxLength: INTEGRATION_NAME_POINTS_MAX })

const PLATFORM = oneOf(PLATFORMS, 'Who reports the deployments; `generic` is a script of your own.')
const DATASETS = list(DATASET_NAME, 'The datasets on whose charts the deployments appear.', {
  minItems: 1,
  maxItems: INTEGRATION_ITEMS_MAX,
})
const TYPE = refined(ANNOTATION_TYPE, { description: '`type` of its annotations; by default `deploy`.' })
const TITLE = text(`\`title\` of its annotations, with ${TITLE_FACTS.map((fact) => `\`{${fact}}\``).join(', ')}.`, {
  minLength: 1,
  maxLength: TITLE_POINTS_MAX,
  examples: [INTEGRATION_TITLE_DEFAULT],
  // Spaces at its ends are not kept; what stands in braces is a fact.
  documented: { pattern: `^(?=[\\s\\S]*\\S)(?:[^{]|\\{(?:${TITLE_FACTS.join('|')})\\}|\\{[^{}]*(?=\\{|$))*$` },
})
const ENVIRONMENTS = list(
  name(),
  'Only deployments to these get annotations, whatever their case; empty: all deployments. By default `production` on Vercel and Netlify, and any on the others.',
  { maxItems: INTEGRATION_ITEMS_MAX },
)

const patterns = (description: string) =>
  list(name(), `${description}, whatever their case; \`*\` stands for any characters. Empty or absent: any.`, {
    maxItems: INTEGRATION_ITEMS_MAX,
  })
const ABOUT_DATASETS_OF_RULE = 'The datasets on whose charts these deployments appear; empty: they get no annotations.'
const RULE = {
  ...optional({
    projects: patterns('Repositories of GitHub as `owner/name`, or projects of the other platforms'),
    environments: patterns(
      'Environments; their deployments get annotations even if `environments` of the integration does not name them',
    ),
    type: TYPE,
  }),
  datasets: list(DATASET_NAME, ABOUT_DATASETS_OF_RULE, { maxItems: INTEGRATION_ITEMS_MAX }),
}
const ABOUT_RULES =
  'Which deployments get annotations on other datasets than `datasets`: the first rule that matches the repository and the environment counts.'

const expression = (description: string) =>
  text(`${description}, as a text with paths in braces.`, { minLength: 1, maxLength: MAPPING_POINTS_MAX })
const MAPPING = titled(
  'IntegrationMapping',
  {
    deployment: expression('The id of the deployment: the same in each of its events'),
    ...optional({
      state: expression('The state; absent: each body tells of a success'),
      states: record(
        oneOf([...DEPLOYMENT_STATUSES, 'queued', 'ignored']),
        'What the words of a state mean, where it is not what they usually do.',
        { maxProperties: MAPPING_STATES_MAX },
      ),
      time: expression('When that happened, RFC 3339 or a number since 1970; absent: when it arrives'),
      start: expression('When the deployment began, where a body about its end says so'),
      title: expression('The title, in the place of that of the integration'),
      version: expression('What is deployed'),
      project: expression('The project'),
      environment: expression('The environment'),
      branch: expression('The branch'),
      commit: expression('The commit'),
      by: expression('Who deployed'),
      url: expression('Where to read more; http or https'),
      description: expression('What is deployed, or how it ended'),
    }),
  },
  {
    description: 'How the bodies of the platform `generic` are read, where they are not in its own form.',
    examples: [{ deployment: '{run.id}', state: '{run.status}', time: '{run.at}', version: "{run.tag|run.sha|'unknown'}" }],
  },
)
const SECRET = text(
  'What the platform signs with, or sends. Vercel makes it; for the others one is made here where none is sent.',
  {
    ...SECRET_KEYWORD,
    minLength: WEBHOOK_SECRET_LENGTH_MIN,
    maxLength: WEBHOOK_SECRET_LENGTH_MAX,
  },
)

const DELIVERY = titled('Delivery', {
  time: time('When it arrived.'),
  outcome: oneOf(
    [...WEBHOOK_OUTCOMES, 'refused'],
    'What became of the annotation; `refused`: it was signed, but is not what the platform sends.',
  ),
  ...optional({
    deployment: text("The platform's id of the deployment."),
    annotation: text('Id of the annotation.'),
    reason: text('Why it was ignored or refused.'),
  }),
})

const MEMBERS = {
  id: text('Assigned by the service.', { pattern: INTEGRATION_ID_PATTERN }),
  platform: PLATFORM,
  name: name('By default the platform.'),
  datasets: list(
    ANSWERED_DATASET_NAME,
    'The datasets on whose charts the deployments appear. One that was deleted stands there as `web (deleted)` where a token that named it made the integration.',
    { minItems: 1 },
  ),
  type: TYPE,
  title: TITLE,
  environments: ENVIRONMENTS,
  rules: list(closed({ ...RULE, datasets: list(ANSWERED_DATASET_NAME, ABOUT_DATASETS_OF_RULE) }), ABOUT_RULES),
  ...optional({ mapping: MAPPING }),
  createdAt: time(),
  ...optional({ lastDelivery: DELIVERY }),
}
const INTEGRATION = titled('Integration', MEMBERS, {
  description: 'Whose deployments get annotations, on which charts, and with which title.',
})
const MADE_INTEGRATION = titled('MadeIntegration', {
  ...MEMBERS,
  ...optional({ secret: text('What the platform is to sign with, where it was made here.') }),
})

const SETTINGS = {
  name: name('By default the platform.'),
  type: TYPE,
  title: TITLE,
  environments: ENVIRONMENTS,
  rules: list(titled('IntegrationRule', RULE), ABOUT_RULES, { maxItems: INTEGRATION_RULES_MAX }),
}
const NEW_INTEGRATION = requestBody('IntegrationCreate', {
  platform: PLATFORM,
  datasets: DATASETS,
  ...sent({ ...SETTINGS, mapping: MAPPING, secret: SECRET }),
})
const INTEGRATION_CHANGE = requestBody('IntegrationChange', {
  ...sent({ datasets: DATASETS, ...SETTINGS }),
  ...optional({
    mapping: anyOf(MAPPING, schemaOf<null>({ type: 'null', description: 'Bodies are read in the form of the script again.' })),
  }),
})
const INTEGRATION_REGENERATION = requestBody('IntegrationRegeneration', sent({ secret: SECRET }))

const INTEGRATION_PREVIEW = requestBody('IntegrationPreview', {
  platform: PLATFORM,
  body: schemaOf<unknown>({ description: 'What the platform would send, any JSON.' }),
  ...sent({
    headers: record(text(), 'Headers that say what the body is.', { maxProperties: 50 }),
    type: TYPE,
    title: TITLE,
    environments: ENVIRONMENTS,
    mapping: MAPPING,
  }),
})
const PREVIEWED_MARK = titled(
  'PreviewedMark',
  optional({
    ignored: text('Why it would get no annotation.'),
    deployment: text('The id of the deployment.'),
    state: text(),
    time: time(),
    endTime: time(),
    title: text(),
    description: text(),
    type: text(),
    url: text(),
  }),
)
const PREVIEW_RESULT = titled('PreviewResult', { marks: list(PREVIEWED_MARK, 'One for each event of the body.') })

/** Of answers with a secret. */
const MADE = {
  gives: MADE_INTEGRATION,
  answer: 'The integration, with its secret where that was made here: it is shown only this once.',
  isSecret: true,
  errorTexts: { 409: 'Another integration of the platform has this secret.' },
} as const

export const INTEGRATIONS = operations(
  INTEGRATION_CALLS,
  {
    noun: 'integration',
    tag: 'integrations',
    permissions: 'integrations',
    params: { id: text('As listed.', { pattern: INTEGRATION_ID_PATTERN }) },
    item: INTEGRATION,
  },
  {
    create: {
      ...MADE,
      description: 'The platform then sends its webhooks to `/v1/integrations/{platform}/{id}`, signed with the secret.',
      body: NEW_INTEGRATION,
    },
    list: { answer: 'All of them, the oldest first, without their secrets.' },
    get: { answer: 'The integration, without its secret.' },
    change: {
      description: 'Members that are not sent keep their values. They apply to the annotations that it creates from then on.',
      body: INTEGRATION_CHANGE,
    },
    delete: { description: 'Its webhooks are refused from the next request on; the annotations that it made stay.' },
    deliveries: {
      operationId: 'listDeliveries',
      summary: 'The last webhooks of an integration, and what became of them',
      description: `Those that its secret had signed; the newest ${DELIVERIES_KEPT} are kept.`,
      gives: list(DELIVERY),
      answer: 'The newest first.',
    },
    regenerate: {
      ...MADE,
      operationId: 'regenerateIntegrationSecret',
      summary: 'Give an integration another secret',
      description: 'It takes the place of the one that is there at once: what is signed with that is refused from then on.',
      action: 'update',
      body: INTEGRATION_REGENERATION,
    },
    preview: {
      summary: 'Try a body that a platform would send',
      description: 'Says how it would be read and shown. No annotation is created, and nothing is kept.',
      action: 'read',
      body: INTEGRATION_PREVIEW,
      gives: PREVIEW_RESULT,
      answer: 'The annotations that it would create.',
    },
  },
)

const OUTCOME = {
  outcome: oneOf(WEBHOOK_OUTCOMES),
  ...optional({ annotation: text(), reason: text() }),
}
const WEBHOOK_RESULT = object({
  outcome: oneOf(WEBHOOK_OUTCOMES, 'What became of the annotation; a repeat is `unchanged`.'),
  ...optional({
    annotation: text('Id of the annotation.'),
    reason: text('Why the request was ignored.'),
    results: list(
      object(OUTCOME),
      'What became of each event of a batch; beside it stands what became of the first that got an annotation.',
    ),
  }),
})

const GENERIC_DEPLOYMENT = object({
  deployment: schemaOf<string | number>({
    type: ['string', 'integer'],
    description: 'Id of the deployment: the same in each of its events.',
  }),
  status: oneOf(DEPLOYMENT_STATUSES),
  time: storableTime('When that happened.'),
  ...optional({
    project: text(),
    environment: text(),
    version: text(),
    branch: text(),
    commit: text(),
    by: text('Who deployed.'),
    url: text('Where to read more; http or https.'),
    description: text('What is deployed, or how it ended.'),
  }),
})
/** Platforms describe theirs themselves. */
const PLATFORM_DEPLOYMENT = object({}, { additionalProperties: true })

function webhookOperations(platform: PlatformName) {
  const isGeneric = platform === 'generic'
  const { label } = platformRow(platform)
  const operationId = `receive${isGeneric ? 'Generic' : label.replaceAll(' ', '')}Deployment`
  const all = {
    operationId,
    summary: `Receive a deployment webhook: ${label}`,
    description:
      'Creates the annotation of the deployment: a point while it is under way, a span once it has ended. Events may come twice and in any order. Authenticated by its signature or the secret of the integration, not by a token.',
    access: 'signature',
    body: byHand(isGeneric ? GENERIC_DEPLOYMENT : PLATFORM_DEPLOYMENT),
    gives: WEBHOOK_RESULT,
    answer: 'What became of the annotation.',
    errorTexts: {
      401: 'Not signed, or not with the secret of an integration of this platform.',
      415: 'The body is compressed.',
    },
  } as const
  const one = { ...all, operationId: `${operationId}OfIntegration`, summary: `${all.summary}, for one integration` }
  const calls = {
    all: { call: `POST ${webhookPath(platform)}`, takes: 'body' },
    one: { call: `POST ${webhookPath(platform)}/{id}`, takes: 'body' },
  } as const
  // Another text than an id is of no integration, which is told as a wrong signature is.
  const params = { id: text('Id of the integration.', { maxLength: 128 }) }
  return operations(calls, { noun: 'integration', tag: 'integrations', params }, { all, one })
}

/** What the platforms call: to one integration, or to all of the platform, of which the secret finds one. */
export const WEBHOOKS = Object.fromEntries(PLATFORMS.map((platform) => [platform, webhookOperations(platform)])) as Readonly<
  Record<PlatformName, ReturnType<typeof webhookOperations>>
>

/** An integration without its secret. */
export type Integration = Infer<typeof INTEGRATION>

/** The charts on which certain deployments appear. */
export type IntegrationRule = NonNullable<NewIntegration['rules']>[number]

/** The answer that creates an integration: the only one with the secret, where the service made it. */
export type MadeIntegration = Infer<typeof MADE_INTEGRATION>

/** The body of a create. */
export type NewIntegration = Infer<typeof NEW_INTEGRATION>

/** The members to change; the others keep their values. */
export type IntegrationChange = Infer<typeof INTEGRATION_CHANGE>

/** How other bodies than our own are read. */
export type IntegrationMapping = Infer<typeof MAPPING>

/** A body that is tried. */
export type IntegrationPreview = Infer<typeof INTEGRATION_PREVIEW>

/** How a body would be read, and shown. */
export type PreviewResult = Infer<typeof PREVIEW_RESULT>

/** A webhook that was signed with the secret of the integration, and what became of it. */
export type Delivery = Infer<typeof DELIVERY>

/** What became of a webhook. */
export type WebhookResult = Infer<typeof WEBHOOK_RESULT>
