/** Prints annotations as a table, as wide as the terminal; without a terminal, as wide as necessary. */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { formatDuration } from '@deployment-annotations/contract/duration'
import { cutText } from '@deployment-annotations/contract/text'
import { toLog } from '@deployment-annotations/inputs/text'
import { paint } from './output.ts'

const TITLES = ['TIME', 'LENGTH', 'TYPE', 'TITLE', 'DATASETS', 'ID']
/** The column of the title is cut on a narrow terminal, down to this width. */
const TITLE_COLUMN = 3
const TITLE_WIDTH_MIN = 12
const GAP = '  '

/** @returns the lines, first the column titles */
export function formatTable(annotations: readonly Annotation[], widthMax = process.stdout.columns ?? Infinity): string[] {
  const rows = annotations.map(toRow)
  const widths = TITLES.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const excess = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - widthMax
  const titleWidth = Math.max(TITLE_WIDTH_MIN, (widths[TITLE_COLUMN] ?? 0) - Math.max(0, excess))
  widths[TITLE_COLUMN] = Math.min(widths[TITLE_COLUMN] ?? 0, titleWidth)
  const format = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === TITLE_COLUMN ? cutText(cell, titleWidth) : cell).padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd()
  return [paint('bold', format(TITLES)), ...rows.map(format)]
}

function toRow({ time, endTime, type, title, datasets, id }: Annotation): string[] {
  const length = endTime === undefined ? '' : formatDuration(Date.parse(endTime) - Date.parse(time))
  return [time.replace(/\.\d+/, ''), length, type, title ?? '', datasets.join(','), id].map((cell) => toLog(cell))
}
