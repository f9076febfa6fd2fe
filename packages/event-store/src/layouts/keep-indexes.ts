/**
 * The task of upkeep that keeps columns and indexes beside the events.
 */
import type { Records } from '@deployment-annotations/records/records'
import type { Datasets } from '../datasets/datasets.ts'
import type { DataDisk } from '../disk/data-disk.ts'
import type { Engine } from '../engine/engine.ts'
import { createEventLayouts } from '../tables/event-layouts.ts'
import type { UpkeepTasks } from '../upkeep/upkeep.ts'
import { LayoutKeeper, TASK } from './layout-keeper.ts'
import { openLayoutTrial } from './layout-trial.ts'
import { forgetMissing } from './missing.ts'

interface IndexesParts {
  engine: Engine
  records: Records
  disk: DataDisk | undefined
  datasets: Datasets
  isOn: boolean
}

/** To be called before there are queries: what is not there is forgotten by then. */
export async function openIndexes({ engine, records, disk, datasets, isOn }: IndexesParts): Promise<UpkeepTasks> {
  const layouts = disk?.openLayouts(engine) ?? createEventLayouts(engine)
  await forgetMissing(records, layouts)
  const openTrial = (table: string, rows: number) => openLayoutTrial(engine, table, rows)
  const keeper = new LayoutKeeper({ layouts, openTrial, datasets, isOn })
  return { [TASK]: (log) => keeper.upkeep(log) }
}
