/** Annotations of a Grafana. Source: https://grafana.com/docs/grafana/latest/developers/http_api/annotations/. */
import { addressOf, type CopiedAnnotation, type CopyNotifier, type CopyNotifierProperties, JSON_TYPE, readJson } from './copy.ts'

type Properties = CopyNotifierProperties<'grafana'>

const addressFor = ({ url }: Properties, path = '') => addressOf(url, '', `/api/annotations${path}`)
const headersFor = ({ token }: Properties) => ({ ...JSON_TYPE, authorization: `Bearer ${token}` })

function bodyOf({ title, text, startMs, endMs, tags, url }: CopiedAnnotation, { dashboardUID }: Properties): string {
  const said = [title, text, ...(url === undefined ? [] : [url])].filter((part) => part !== '').join('\n')
  return JSON.stringify({ ...(dashboardUID && { dashboardUID }), time: startMs, timeEnd: endMs, tags, text: said })
}

export const GRAFANA: CopyNotifier<Properties> = {
  async create(mark, properties, send) {
    const reply = await send({ url: addressFor(properties), headers: headersFor(properties), body: bodyOf(mark, properties) })
    const { id } = readJson<{ id: number }>(reply)
    return id === undefined ? undefined : String(id)
  },
  async find({ tags: [copyOf = ''] }, properties, send) {
    const search = new URLSearchParams({ tags: copyOf, limit: '1' })
    const reply = await send({ method: 'GET', url: addressFor(properties, `?${search}`), headers: headersFor(properties) })
    const [first] = Object.values(readJson<Record<string, { id?: number; tags?: string[] }>>(reply))
    return first?.id !== undefined && first.tags?.includes(copyOf) ? String(first.id) : undefined
  },
  change: (remote, mark, properties, send) =>
    send({
      method: 'PUT',
      url: addressFor(properties, `/${encodeURIComponent(remote)}`),
      headers: headersFor(properties),
      body: bodyOf(mark, properties),
    }),
  remove: (remote, properties, send) =>
    send({
      method: 'DELETE',
      url: addressFor(properties, `/${encodeURIComponent(remote)}`),
      headers: headersFor(properties),
    }),
}
