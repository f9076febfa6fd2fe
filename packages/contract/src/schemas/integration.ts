/**
 * The shapes of integrations and of deployment webhooks as schemas and types. A secret is only ever in the answer that makes it. The
 * bodies of webhooks are for the document: the code of each platform reads them, because the signature is over the bytes.
 */
import type { Static } from 'typebox'
import { TITLE_POINTS_MAX } from '../annotation.ts'
import {
  DELIVERY_OUTCOMES,
  DEPLOYMENT_STATUSES,
  INTEGRATION_ID_PATTERN,
  INTEGRATION_ITEMS_MAX,
  INTEGRATION_NAME_POINTS_MAX,
  INTEGRATION_RULES_MAX,
  MAPPING_POINTS_MAX,
  MAPPING_STATES_MAX,
  TITLE_FACTS,
  WEBHOOK_OUTCOMES,
  WEBHOOK_SECRET_LENGTH_MAX,
  WEBHOOK_SECRET_LENGTH_MIN,
} from '../integration.ts'
import { PLATFORMS } from '../platform.ts'
import { AnnotationType, AnsweredDatasetName } from './annotation.ts'
import {
  closed,
  DatasetName,
  DOCUMENTED,
  IdParams,
  named,
  OneOf,
  requestBody,
  StorableTime,
  sent,
  Time,
  titled,
} from './parts.ts'
import Type from './type.ts'

const Platform = OneOf(PLATFORMS, { description: 'Who reports the deployments; `generic` is a script of your own.' })
const Name = Type.String({ minLength: 1, maxLength: INTEGRATION_NAME_POINTS_MAX, description: 'By default the platform.' })
const Datasets = Type.Array(DatasetName, {
  minItems: 1,
  maxItems: INTEGRATION_ITEMS_MAX,
  description: 'The datasets on whose charts the deployments appear.',
})
const TypeOfAnnotations = Type.Unsafe<string>({
  ...AnnotationType,
  description: '`type` of its annotations; by default `deploy`.',
})
const Title = Type.String({
  minLength: 1,
  maxLength: TITLE_POINTS_MAX,
  description: `\`title\` of its annotations, with ${TITLE_FACTS.map((fact) => `\`{${fact}}\``).join(', ')}.`,
  examples: ['{project} {environment} {version}'],
  // Spaces at its ends are not kept; what stands in braces is a fact.
  [DOCUMENTED]: { pattern: `^(?=[\\s\\S]*\\S)(?:[^{]|\\{(?:${TITLE_FACTS.join('|')})\\}|\\{[^{}]*(?=\\{|$))*$` },
})
const Environments = Type.Array(Type.String({ minLength: 1, maxLength: INTEGRATION_NAME_POINTS_MAX }), {
  maxItems: INTEGRATION_ITEMS_MAX,
  description:
    'Only deployments to these get annotations, whatever their case; empty: all deployments. By default `production` on Vercel and Netlify, and any on the others.',
})
const Patterns = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: INTEGRATION_NAME_POINTS_MAX }), {
      maxItems: INTEGRATION_ITEMS_MAX,
      description: `${description}, whatever their case; \`*\` stands for any characters. Empty or absent: any.`,
    }),
  )
const ABOUT_DATASETS_OF_RULE = 'The datasets on whose charts these deployments appear; empty: they get no annotations.'
const RuleSchema = titled('IntegrationRule', {
  projects: Patterns('Repositories of GitHub as `owner/name`, or projects of the other platforms'),
  environments: Patterns(
    'Environments; their deployments get annotations even if `environments` of the integration does not name them',
  ),
  datasets: Type.Array(DatasetName, { maxItems: INTEGRATION_ITEMS_MAX, description: ABOUT_DATASETS_OF_RULE }),
  type: Type.Optional(TypeOfAnnotations),
})
const ABOUT_RULES =
  'Which deployments get annotations on other datasets than `datasets`: the first rule that matches the repository and the environment counts.'
const Rules = Type.Array(RuleSchema, { maxItems: INTEGRATION_RULES_MAX, description: ABOUT_RULES })
const Expression = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAPPING_POINTS_MAX, description: `${description}, as a text with paths in braces.` })
/** How other bodies than our own are read. */
const MappingSchema = closed(
  {
    deployment: Expression('The id of the deployment: the same in each of its events'),
    state: Type.Optional(Expression('The state; absent: each body tells of a success')),
    states: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 100 }), OneOf([...DEPLOYMENT_STATUSES, 'queued', 'ignored']), {
        maxProperties: MAPPING_STATES_MAX,
        description: 'What the words of a state mean, where it is not what they usually do.',
      }),
    ),
    time: Type.Optional(Expression('When that happened, RFC 3339 or a number since 1970; absent: when it arrives')),
    start: Type.Optional(Expression('When the deployment began, where a body about its end says so')),
    title: Type.Optional(Expression('The title, in the place of that of the integration')),
    version: Type.Optional(Expression('What is deployed')),
    project: Type.Optional(Expression('The project')),
    environment: Type.Optional(Expression('The environment')),
    branch: Type.Optional(Expression('The branch')),
    commit: Type.Optional(Expression('The commit')),
    by: Type.Optional(Expression('Who deployed')),
    url: Type.Optional(Expression('Where to read more; http or https')),
    description: Type.Optional(Expression('What is deployed, or how it ended')),
  },
  {
    title: 'IntegrationMapping',
    description: 'How the bodies of the platform `generic` are read, where they are not in its own form.',
    examples: [{ deployment: '{run.id}', state: '{run.status}', time: '{run.at}', version: "{run.tag|run.sha|'unknown'}" }],
  },
)
const Secret = Type.String({
  minLength: WEBHOOK_SECRET_LENGTH_MIN,
  maxLength: WEBHOOK_SECRET_LENGTH_MAX,
  description: 'What the platform signs with, or sends. Vercel makes it; for the others one is made here where none is sent.',
})

export const DeliverySchema = titled('Delivery', {
  time: Time('When it arrived.'),
  outcome: OneOf(DELIVERY_OUTCOMES, {
    description: 'What became of the annotation; `refused`: it was signed, but is not what the platform sends.',
  }),
  deployment: Type.Optional(Type.String({ description: "The platform's id of the deployment." })),
  annotation: Type.Optional(Type.String({ description: 'Id of the annotation.' })),
  reason: Type.Optional(Type.String({ description: 'Why it was ignored or refused.' })),
})

const AnsweredRule = closed({
  ...RuleSchema.properties,
  datasets: Type.Array(AnsweredDatasetName, { description: ABOUT_DATASETS_OF_RULE }),
})

const MEMBERS = {
  id: Type.String({ description: 'Assigned by the service.', pattern: INTEGRATION_ID_PATTERN.source }),
  platform: Platform,
  name: Name,
  datasets: Type.Array(AnsweredDatasetName, {
    minItems: 1,
    description:
      'The datasets on whose charts the deployments appear. One that was deleted stands there as `web (deleted)` where a token that named it made the integration.',
  }),
  type: TypeOfAnnotations,
  title: Title,
  environments: Environments,
  rules: Type.Array(AnsweredRule, { description: ABOUT_RULES }),
  mapping: Type.Optional(MappingSchema),
  createdAt: Time(),
  lastDelivery: Type.Optional(DeliverySchema),
} as const

export const IntegrationSchema = named(
  'Integration',
  'Whose deployments get annotations, on which charts, and with which title.',
  MEMBERS,
)

export const MadeIntegrationSchema = titled('MadeIntegration', {
  ...MEMBERS,
  secret: Type.Optional(Type.String({ description: 'What the platform is to sign with, where it was made here.' })),
})

const SETTINGS = {
  name: Name,
  type: TypeOfAnnotations,
  title: Title,
  environments: Environments,
  rules: Rules,
  mapping: MappingSchema,
} as const

export const NewIntegrationSchema = requestBody('IntegrationCreate', {
  platform: Platform,
  datasets: Datasets,
  ...sent({ ...SETTINGS, secret: Secret }),
})

const { mapping: _, ...OTHER_SETTINGS } = SETTINGS
export const IntegrationChangeSchema = requestBody('IntegrationChange', {
  ...sent({ datasets: Datasets, ...OTHER_SETTINGS }),
  mapping: Type.Optional(
    Type.Union([MappingSchema, Type.Null({ description: 'Bodies are read in the form of the script again.' })]),
  ),
})

export const IntegrationRegenerationSchema = requestBody('IntegrationRegeneration', sent({ secret: Secret }))

export const IntegrationParams = IdParams(INTEGRATION_ID_PATTERN, 'As listed.')

/** Another text than an id is of no integration, which is told as a wrong signature is. */
export const WebhookParams = Type.Object({ id: Type.String({ description: 'Id of the integration.', maxLength: 128 }) })

export const WebhookResultSchema = Type.Object({
  outcome: OneOf(WEBHOOK_OUTCOMES, { description: 'What became of the annotation; a repeat is `unchanged`.' }),
  annotation: Type.Optional(Type.String({ description: 'Id of the annotation.' })),
  reason: Type.Optional(Type.String({ description: 'Why the request was ignored.' })),
  results: Type.Optional(
    Type.Array(
      Type.Object({
        outcome: OneOf(WEBHOOK_OUTCOMES),
        annotation: Type.Optional(Type.String()),
        reason: Type.Optional(Type.String()),
      }),
      { description: 'What became of each event of a batch; beside it stands what became of the first that got an annotation.' },
    ),
  ),
})

/** A body that is tried: how it would be read, and shown. */
export const IntegrationPreviewSchema = requestBody('IntegrationPreview', {
  platform: Platform,
  body: Type.Unsafe<unknown>({ description: 'What the platform would send, any JSON.' }),
  ...sent({
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Headers that say what the body is.',
      maxProperties: 50,
    }),
    type: TypeOfAnnotations,
    title: Title,
    environments: Environments,
    mapping: MappingSchema,
  }),
})

export const PreviewResultSchema = titled('PreviewResult', {
  marks: Type.Array(
    titled('PreviewedMark', {
      ignored: Type.Optional(Type.String({ description: 'Why it would get no annotation.' })),
      deployment: Type.Optional(Type.String({ description: 'The id of the deployment.' })),
      state: Type.Optional(Type.String()),
      time: Type.Optional(Time()),
      endTime: Type.Optional(Time()),
      title: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      type: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
    }),
    { description: 'One for each event of the body.' },
  ),
})

export const GenericDeploymentSchema = Type.Object({
  deployment: Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    description: 'Id of the deployment: the same in each of its events.',
  }),
  status: OneOf(DEPLOYMENT_STATUSES),
  time: StorableTime('When that happened.'),
  project: Type.Optional(Type.String()),
  environment: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  branch: Type.Optional(Type.String()),
  commit: Type.Optional(Type.String()),
  by: Type.Optional(Type.String({ description: 'Who deployed.' })),
  url: Type.Optional(Type.String({ description: 'Where to read more; http or https.' })),
  description: Type.Optional(Type.String({ description: 'What is deployed, or how it ended.' })),
})

/** Platforms describe theirs themselves. */
export const PlatformDeploymentSchema = Type.Object({}, { additionalProperties: true })

/** An integration without its secret. */
export type Integration = Static<typeof IntegrationSchema>

/** The charts on which certain deployments appear. */
export type IntegrationRule = Static<typeof RuleSchema>

/** The answer that creates an integration: the only one with the secret, where the service made it. */
export type MadeIntegration = Static<typeof MadeIntegrationSchema>

/** The body of a create. */
export type NewIntegration = Static<typeof NewIntegrationSchema>

/** The members to change; the others keep their values. */
export type IntegrationChange = Static<typeof IntegrationChangeSchema>

/** The request that makes a new secret take the place of the old one, at once. */
export type IntegrationRegeneration = Static<typeof IntegrationRegenerationSchema>

/** How other bodies than our own are read. */
export type IntegrationMapping = Static<typeof MappingSchema>

/** A body that is tried. */
export type IntegrationPreview = Static<typeof IntegrationPreviewSchema>

/** How a body would be read, and shown. */
export type PreviewResult = Static<typeof PreviewResultSchema>

/** A webhook that was signed with the secret of the integration, and what became of it. */
export type Delivery = Static<typeof DeliverySchema>

/** What became of a webhook. */
export type WebhookResult = Static<typeof WebhookResultSchema>

/** A deployment that reports itself. */
export type GenericDeployment = Static<typeof GenericDeploymentSchema>
