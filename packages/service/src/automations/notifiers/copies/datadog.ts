/**
 * Events of Datadog. One cannot be changed or deleted there, so each change is an event more: `aggregation_key` puts those of an annotation
 * together. Source: https://docs.datadoghq.com/api/latest/events/.
 */
import { cutText } from '@deployment-annotations/contract/text'
import type { SendRequest } from '../send-request.ts'
import { addressOf, type CopiedAnnotation, type CopyNotifier, type CopyNotifierProperties, JSON_TYPE } from './copy.ts'

type Properties = CopyNotifierProperties<'datadog'>

/** Events of the past are refused beyond this. */
const AGE_MS_MAX = 18 * 3_600_000
const TEXT_POINTS_MAX = 3_900

async function post(
  { title, text, startMs, tags, url, isWorse }: CopiedAnnotation,
  { apiKey, url: address }: Properties,
  send: SendRequest,
) {
  const said = [text, ...(url === undefined ? [] : [url])].filter((part) => part !== '').join('\n\n')
  const body = JSON.stringify({
    title: cutText(title, 100),
    text: `%%%\n${cutText(said, TEXT_POINTS_MAX)}\n%%%`,
    // Without a time it is that of the request.
    ...(Date.now() - startMs < AGE_MS_MAX && { date_happened: Math.floor(startMs / 1_000) }),
    tags,
    aggregation_key: cutText(tags[0] ?? '', 100),
    alert_type: isWorse ? 'error' : 'info',
    source_type_name: 'deployment-annotations',
  })
  await send({
    url: addressOf(address, 'https://api.datadoghq.com', '/api/v1/events'),
    headers: { ...JSON_TYPE, 'dd-api-key': apiKey },
    body,
  })
}

export const DATADOG: CopyNotifier<Properties> = {
  async create(mark, properties, send) {
    await post(mark, properties, send)
    return mark.tags[0]
  },
  change: (_, mark, properties, send) => post(mark, properties, send),
}
