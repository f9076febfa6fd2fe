/** In the place of a chart that is not known yet, and as high: what comes next must not move. */
export function LoadingChart() {
  return (
    <div class="is-loading" aria-busy="true">
      <div class="card time-chart is-unknown">
        <p class="hint">Loading…</p>
      </div>
    </div>
  )
}
