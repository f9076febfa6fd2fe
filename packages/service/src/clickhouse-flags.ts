/**
 * The flags that say where the events are, for the service and the subcommands that read or fill the place.
 */
import { Option } from 'commander'

export interface ClickHouseFlags {
  /** Addresses of the same data; otherwise the events are in the data directory. */
  clickhouse?: URL[]
  clickhouseCluster?: string
}

/** @returns new ones, because an option belongs to its command */
export function createClickHouseOptions(): [clickhouse: Option, cluster: Option] {
  return [
    new Option(
      '--clickhouse <url>',
      'keep the events on this ClickHouse server, http://user:password@host:8123/database; several addresses of the same data are separated by commas, and the first that works is used',
    ).argParser(parseServerUrls),
    new Option('--clickhouse-cluster <name>', 'replicate and shard the tables of events over this cluster of the server'),
  ]
}

/** A comma may also be in a URL; one that separates two is before a scheme. */
function parseServerUrls(text: string, before: URL[] = []): URL[] {
  const urls = text.split(/,\s*(?=https?:)/).map((one) => (URL.canParse(one) ? new URL(one) : undefined))
  const usable = urls.filter((url) => url?.protocol === 'http:' || url?.protocol === 'https:') as URL[]
  if (usable.length < urls.length) {
    // Not an InvalidArgumentError, which would be shown with the whole value, passwords too.
    const shown = JSON.stringify(text.replace(/.*@/s, '…@'))
    throw new Error(`--clickhouse must be an http or https URL, or several with commas between them; ${shown} is not`)
  }
  return [...before, ...usable]
}
