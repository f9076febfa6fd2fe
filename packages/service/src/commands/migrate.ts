/**
 * The subcommand `migrate`: brings the records to this version before the first service of it starts, and says which versions can use them
 * afterwards. Services do the same at their start; a deployment that runs this first learns of a wrong password, or of records that are
 * too new, before it has replaced anything.
 */

import { readSetting } from '@deployment-annotations/records/database/settings-records'
import { RECORDS_VERSION } from '@deployment-annotations/records/migrations/migrations'
import { Command } from 'commander'
import { describePlace, type RecordsFlags, useRecords, withRecordsFlags } from '../flags/storage-flags.ts'

/** @param defaults used where the subcommand has no flags of its own */
export function createMigrateCommand(defaults: () => RecordsFlags): Command {
  return withRecordsFlags(new Command('migrate'))
    .description('bring the records to this version, as the first service of a version does at its start, and end')
    .action(async (options: RecordsFlags) => {
      const flags = { ...defaults(), ...options }
      const lowest = await useRecords(flags, ({ read }) => readSetting(read, 'lowest-version'))
      console.log(
        `the records at ${describePlace(flags)} are ready for ${RECORDS_VERSION}; versions from ${lowest} on can use them`,
      )
    })
}
