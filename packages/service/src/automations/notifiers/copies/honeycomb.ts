/** Markers of Honeycomb, which have no tags: the link says of what one is a copy. Source: https://api-docs.honeycomb.io/api/markers. */
import {
  addressOf,
  type CopiedAnnotation,
  type CopyNotifier,
  type CopyNotifierProperties,
  JSON_TYPE,
  markedUrl,
  readJson,
} from './copy.ts'

type Properties = CopyNotifierProperties<'honeycomb'>

const addressFor = ({ url, dataset = '__all__' }: Properties, path = '') =>
  addressOf(url, 'https://api.honeycomb.io', `/1/markers/${encodeURIComponent(dataset)}${path}`)
const headersFor = ({ apiKey }: Properties) => ({ ...JSON_TYPE, 'x-honeycomb-team': apiKey })

function bodyOf(mark: CopiedAnnotation): string {
  const { title, type, startMs, endMs, isWorse, text } = mark
  const message = isWorse ? `${title}: ${text.split('\n\n').at(-1)}` : title
  const end = endMs > startMs ? { end_time: Math.floor(endMs / 1_000) } : {}
  return JSON.stringify({ start_time: Math.floor(startMs / 1_000), ...end, message, type, url: markedUrl(mark) })
}

export const HONEYCOMB: CopyNotifier<Properties> = {
  async create(mark, properties, send) {
    return readJson<{ id: string }>(
      await send({ url: addressFor(properties), headers: headersFor(properties), body: bodyOf(mark) }),
    ).id
  },
  async find(mark, properties, send) {
    const reply = await send({ method: 'GET', url: addressFor(properties), headers: headersFor(properties) })
    const all = Object.values(readJson<Record<string, { id?: string; url?: string }>>(reply))
    return all.find((one) => one?.url?.endsWith(`#${mark.tags[0]}`))?.id
  },
  change: (remote, mark, properties, send) =>
    send({
      method: 'PUT',
      url: addressFor(properties, `/${encodeURIComponent(remote)}`),
      headers: headersFor(properties),
      body: bodyOf(mark),
    }),
  remove: (remote, properties, send) =>
    send({
      method: 'DELETE',
      url: addressFor(properties, `/${encodeURIComponent(remote)}`),
      headers: headersFor(properties),
    }),
}
