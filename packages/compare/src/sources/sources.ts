/** All sources, and the beginning of an address that chooses one: `https://` alone is Prometheus, `loki+https://` Loki. */
import { createClickHouseSource } from './clickhouse.ts'
import { createLokiSource } from './loki.ts'
import { createPrometheusSource } from './prometheus.ts'

/** The title is the name for messages. */
export const SOURCES = {
  prometheus: { title: 'Prometheus', create: createPrometheusSource },
  loki: { title: 'Loki', create: createLokiSource },
  clickhouse: { title: 'ClickHouse', create: createClickHouseSource },
} as const
export type SourceKind = keyof typeof SOURCES

/** @returns the kind of source, and the address without its prefix */
export function readSourceKind(address: string): { kind: SourceKind; address: string } {
  const [, name, rest] = /^([a-z]+)\+(https?:\/\/.*)$/i.exec(address.trim()) ?? []
  const kind = (Object.keys(SOURCES) as SourceKind[]).find((one) => one === name?.toLowerCase())
  return kind && rest !== undefined ? { kind, address: rest } : { kind: 'prometheus', address: address.trim() }
}
