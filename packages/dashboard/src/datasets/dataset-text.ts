/** Texts about a dataset. Pure. */
import type { Dataset } from '@deployment-annotations/contract/dataset'

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** @returns such as `1.2 MiB` */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10))
  const value = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(bytes / 1024 ** power)
  return `${value} ${bytes === 1 ? 'byte' : UNITS[power]}`
}

/** @returns such as `30 days` */
export function describeRetention({ retentionDays }: Pick<Dataset, 'retentionDays'>): string {
  if (retentionDays === 0) return 'forever'
  return retentionDays === 1 ? '1 day' : `${retentionDays.toLocaleString('en')} days`
}
