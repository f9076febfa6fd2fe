/**
 * Saves a chart as a picture as it looks on the screen: title and range, buttons, plot and legend. Deliberately not here: drawing the
 * plot, whose canvas is copied.
 */
import { cutText } from '@deployment-annotations/contract/text'
import { readColor } from '../address/type-colors.ts'
import { saveFile } from '../parts/save-file.ts'

interface PictureTexts {
  title: string
  /** Lines below the title; empty ones are left out. */
  lines: readonly string[]
}

const PADDING = 16
const LINE_PX = 20
/** A longer query is cut. */
const LINE_POINTS_MAX = 160
const TITLE_FONT = '600 16px system-ui, sans-serif'
const FONT = '13px system-ui, sans-serif'
const MARK_FONT = '12px system-ui, sans-serif'
const SWATCH_PX = 10
/** A smaller picture would look blurred on today's screens. */
const SCALE_MIN = 2

/**
 * @param place the element with the plot, its marks and its legend
 * @throws Error if the browser cannot make a picture of that size
 */
export async function savePicture(place: HTMLElement, texts: PictureTexts): Promise<void> {
  const canvas = drawPicture(place, texts)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error(`the browser makes no picture of ${canvas.width} × ${canvas.height} pixels`)
  saveFile(`${texts.title.replace(/[^\p{L}\p{N}.-]+/gu, '-').slice(0, 80)}.png`, 'image/png', blob)
}

function drawPicture(place: HTMLElement, { title, lines }: PictureTexts): HTMLCanvasElement {
  const plot = place.querySelector<HTMLCanvasElement>('.chart-plot canvas')
  const chart = place.querySelector<HTMLElement>('.chart')
  if (!plot || !chart) throw new Error('there is no chart to save')
  const origin = chart.getBoundingClientRect()
  const shown = [...lines, captionOf(place)]
    .filter((line) => line !== '')
    .map((line) => cutText(line.replace(/\s+/g, ' '), LINE_POINTS_MAX))
  const top = PADDING + LINE_PX * (1 + shown.length) + 8
  const legend = layoutLegend(place, origin.width)
  const canvas = document.createElement('canvas')
  const scale = Math.max(SCALE_MIN, devicePixelRatio)
  const height = top + origin.height + legend.height + PADDING
  canvas.width = Math.round((origin.width + 2 * PADDING) * scale)
  canvas.height = Math.round(height * scale)
  const ctx = canvas.getContext('2d')
  if (!ctx) throw new Error('the browser draws no pictures')
  ctx.scale(scale, scale)
  ctx.textBaseline = 'middle'
  ctx.fillStyle = readColor('--surface')
  ctx.fillRect(0, 0, canvas.width, canvas.height)
  write(ctx, title, PADDING, PADDING + LINE_PX / 2, { font: TITLE_FONT, color: readColor('--text') })
  for (const [at, line] of shown.entries())
    write(ctx, line, PADDING, PADDING + LINE_PX * (at + 1.5), { font: FONT, color: readColor('--muted') })
  ctx.translate(PADDING, top)
  drawMarks(ctx, chart, origin)
  const { left, top: plotTop, width, height: plotHeight } = plot.getBoundingClientRect()
  ctx.drawImage(plot, left - origin.left, plotTop - origin.top, width, plotHeight)
  drawPaneHeads(ctx, chart, origin)
  ctx.translate(0, origin.height + 8)
  drawLegend(ctx, legend.entries)
  return canvas
}

/** @returns the text beside the title, without that of buttons */
function captionOf(place: HTMLElement): string {
  const parts = [...(place.querySelector('figcaption')?.children ?? [])]
  const isText = (part: Element) => part.tagName !== 'H2' && !part.querySelector('button') && part.tagName !== 'BUTTON'
  return parts
    .filter(isText)
    .map((part) => part.textContent ?? '')
    .join(', ')
}

interface Look {
  font: string
  color: string
}

function write(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, { font, color }: Look): void {
  ctx.font = font
  ctx.fillStyle = color
  ctx.fillText(text, x, y)
}

function drawMarks(ctx: CanvasRenderingContext2D, chart: HTMLElement, origin: DOMRect): void {
  for (const mark of chart.querySelectorAll<HTMLElement>('.marks > button, .found-marks > button')) {
    const { left, top, width, height } = mark.getBoundingClientRect()
    const { borderColor, color, backgroundColor } = getComputedStyle(mark)
    ctx.save()
    ctx.beginPath()
    ctx.roundRect(left - origin.left, top - origin.top, width, height, 4)
    ctx.fillStyle = backgroundColor
    ctx.fill()
    ctx.strokeStyle = borderColor
    ctx.stroke()
    ctx.clip()
    write(ctx, mark.textContent ?? '', left - origin.left + (mark.matches('.found') ? 4 : 6), top - origin.top + height / 2, {
      font: MARK_FONT,
      color,
    })
    ctx.restore()
  }
}

function drawPaneHeads(ctx: CanvasRenderingContext2D, chart: HTMLElement, origin: DOMRect): void {
  const color = readColor('--text')
  for (const head of chart.querySelectorAll<HTMLElement>('.pane-heads p')) {
    const { left, top, height } = head.getBoundingClientRect()
    write(ctx, head.textContent ?? '', left - origin.left + 3, top - origin.top + height / 2, { font: FONT, color })
  }
}

interface LegendEntry {
  x: number
  y: number
  color: string
  text: string
}

/**
 * Hidden series are left out.
 * @returns the entries in lines as wide as the chart
 */
function layoutLegend(place: HTMLElement, width: number): { entries: LegendEntry[]; height: number } {
  const ctx = document.createElement('canvas').getContext('2d')
  if (ctx) ctx.font = FONT
  const entries: LegendEntry[] = []
  let [x, y] = [0, LINE_PX / 2]
  for (const button of place.querySelectorAll<HTMLElement>('.legend .legend-entry[aria-pressed="true"]')) {
    const swatch = button.querySelector('.swatch')
    const text = [button.textContent?.trim() ?? '', figuresBeside(button)].filter((part) => part !== '').join(': ')
    const room = SWATCH_PX + 6 + (ctx?.measureText(text).width ?? 0) + 18
    if (x > 0 && x + room > width) {
      x = 0
      y += LINE_PX
    }
    entries.push({ x, y, text, color: swatch ? getComputedStyle(swatch).backgroundColor : 'transparent' })
    x += room
  }
  return { entries, height: entries.length > 0 ? y + LINE_PX / 2 + 8 : 0 }
}

/** @returns the statistics of a series in a legend that is a table, such as `last 5, highest 9` */
function figuresBeside(button: Element): string {
  const heads = [...(button.closest('table')?.querySelectorAll('th') ?? [])].slice(1)
  const cells = [...(button.closest('tr')?.querySelectorAll('td') ?? [])].slice(1)
  return cells.map((cell, at) => `${heads[at]?.textContent ?? ''} ${cell.textContent ?? ''}`).join(', ')
}

function drawLegend(ctx: CanvasRenderingContext2D, entries: readonly LegendEntry[]): void {
  const color = readColor('--text')
  for (const { x, y, color: swatch, text } of entries) {
    ctx.fillStyle = swatch
    ctx.fillRect(x, y - SWATCH_PX / 2, SWATCH_PX, SWATCH_PX)
    write(ctx, text, x + SWATCH_PX + 6, y, { font: FONT, color })
  }
}
