/** All sources, and the beginning of an address that chooses one: `https://` alone is Prometheus, `loki+https://` Loki. */
import { createClickHouseSource } from './clickhouse.ts'
import { createLokiSource } from './loki.ts'
import { createPrometheusSource } from './prometheus.ts'
import type { CreateSource } from './source.ts'

const SOURCE_KINDS = ['prometheus', 'loki', 'clickhouse'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

interface SourceRow {
  /** The name for messages. */
  title: string
  create: CreateSource
}

export const SOURCES: Readonly<Record<SourceKind, SourceRow>> = {
  prometheus: { title: 'Prometheus', create: createPrometheusSource },
  loki: { title: 'Loki', create: createLokiSource },
  clickhouse: { title: 'ClickHouse', create: createClickHouseSource },
}

/** @returns the kind of source, and the address without its prefix */
export function readSourceKind(address: string): { kind: SourceKind; address: string } {
  const [, name, rest] = /^([a-z]+)\+(https?:\/\/.*)$/i.exec(address.trim()) ?? []
  const kind = SOURCE_KINDS.find((one) => one === name?.toLowerCase())
  return kind && rest !== undefined ? { kind, address: rest } : { kind: 'prometheus', address: address.trim() }
}
