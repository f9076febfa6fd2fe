/**
 * The shapes of integrations as schemas. A secret is only ever in the answer that makes it.
 */
import { TITLE_POINTS_MAX } from '../rules/annotation.ts'
import {
  DELIVERY_OUTCOMES,
  INTEGRATION_ID_PATTERN,
  INTEGRATION_ITEMS_MAX,
  INTEGRATION_NAME_POINTS_MAX,
  PLATFORMS,
  TITLE_FACTS,
  WEBHOOK_SECRET_LENGTH_MAX,
  WEBHOOK_SECRET_LENGTH_MIN,
} from '../rules/integration.ts'
import { AnnotationType } from './annotation.ts'
import { DatasetName, DOCUMENTED, IdParams, NO_OTHERS, OneOf, orNull, Time } from './parts.ts'
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
  // Blanks at its ends are not kept; what stands in braces is a fact.
  [DOCUMENTED]: { pattern: `^(?=[\\s\\S]*\\S)(?:[^{]|\\{(?:${TITLE_FACTS.join('|')})\\}|\\{[^{}]*(?=\\{|$))*$` },
})
const Environments = Type.Array(Type.String({ minLength: 1, maxLength: INTEGRATION_NAME_POINTS_MAX }), {
  maxItems: INTEGRATION_ITEMS_MAX,
  description:
    'Only deployments to these are marked, whatever their case; empty: to any. By default `production` on Vercel and Netlify, and any on the others.',
})
const Secret = Type.String({
  minLength: WEBHOOK_SECRET_LENGTH_MIN,
  maxLength: WEBHOOK_SECRET_LENGTH_MAX,
  description: 'What the platform signs with. Vercel makes it; for the others one is made here where none is sent.',
})

export const DeliverySchema = Type.Object(
  {
    time: Time('When it arrived.'),
    outcome: OneOf(DELIVERY_OUTCOMES, {
      description: 'What became of the annotation; `refused`: it was signed, but is not what the platform sends.',
    }),
    deployment: Type.Optional(Type.String({ description: "The platform's id of the deployment." })),
    annotation: Type.Optional(Type.String({ description: 'Id of the annotation.' })),
    reason: Type.Optional(Type.String({ description: 'Why it was ignored or refused.' })),
  },
  { title: 'Delivery', additionalProperties: false },
)

const MEMBERS = {
  id: Type.String({ description: 'Assigned by the service.', pattern: INTEGRATION_ID_PATTERN.source }),
  platform: Platform,
  name: Name,
  datasets: Datasets,
  type: TypeOfAnnotations,
  title: Title,
  environments: Environments,
  createdAt: Time(),
  lastDelivery: Type.Optional(DeliverySchema),
} as const

export const IntegrationSchema = Type.Object(MEMBERS, {
  $id: 'Integration',
  title: 'Integration',
  description: 'Whose deployments are marked, on which charts, and with which title.',
  additionalProperties: false,
})

export const MadeIntegrationSchema = Type.Object(
  {
    ...MEMBERS,
    secret: Type.Optional(Type.String({ description: 'What the platform is to sign with, where it was made here.' })),
  },
  { title: 'MadeIntegration', additionalProperties: false },
)

const SETTINGS = {
  name: Type.Optional(orNull(Name)),
  type: Type.Optional(orNull(TypeOfAnnotations)),
  title: Type.Optional(orNull(Title)),
  environments: Type.Optional(orNull(Environments)),
} as const

export const NewIntegrationSchema = Type.Object(
  { platform: Platform, datasets: Datasets, ...SETTINGS, secret: Type.Optional(orNull(Secret)) },
  { title: 'NewIntegration', ...NO_OTHERS },
)

export const IntegrationChangeSchema = Type.Object(
  { datasets: Type.Optional(orNull(Datasets)), ...SETTINGS },
  { title: 'IntegrationChange', ...NO_OTHERS },
)

export const IntegrationRegenerationSchema = Type.Object(
  { secret: Type.Optional(orNull(Secret)) },
  { title: 'IntegrationRegeneration', ...NO_OTHERS },
)

export const IntegrationParams = IdParams(INTEGRATION_ID_PATTERN, 'As listed.')
