/** Fits texts into what an annotation may hold. Pure. */

/** @returns the text, or as much of it as has `pointsMax` code points with a sign that there was more */
export function cutText(text: string, pointsMax: number): string {
  const points = [...text]
  return points.length <= pointsMax ? text : `${points.slice(0, pointsMax - 1).join('')}…`
}
