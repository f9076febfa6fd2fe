/** A placeholder that is as high as a chart, so that nothing moves when the chart is loaded. */
export function LoadingChart() {
  return (
    <div class="is-loading" aria-busy="true">
      <div class="card time-chart is-unknown">
        <p class="hint">Loading…</p>
      </div>
    </div>
  )
}
