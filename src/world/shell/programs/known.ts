import { type CallJudge, judgeByTable, type KnownProgram } from "../known-program.ts"
import type { ProgramJudge } from "../scene.ts"
import type { Tables } from "../table.ts"
import { coreutils } from "./coreutils.ts"
import { moveHostLast, networkPrograms } from "./network.ts"
import { packPrograms, unbundleTarOptions } from "./packing.ts"
import { commandRunners } from "./running.ts"
import { searchPrograms } from "./searching.ts"
import { byHandTables, networkQueryTables } from "./tables/by-hand.ts"
import { coreutilsFiles } from "./tables/coreutils-files.ts"
import { coreutilsSystem } from "./tables/coreutils-system.ts"
import { coreutilsText } from "./tables/coreutils-text.ts"
import { everydayTables } from "./tables/everyday.ts"
import { networkTables } from "./tables/network.ts"
import { otherTables } from "./tables/others.ts"
import { wgetTables } from "./tables/wget.ts"

const judges: Readonly<Record<string, CallJudge>> = {
  ...coreutils,
  ...searchPrograms,
  ...packPrograms,
  ...commandRunners,
  ...networkPrograms,
}

const packages: readonly Readonly<Record<string, Tables>>[] = [
  { "coreutils 9.1": { ...coreutilsFiles, ...coreutilsText, ...coreutilsSystem } },
  everydayTables,
  otherTables,
  wgetTables,
  networkTables,
  byHandTables,
  networkQueryTables,
]

const preparations: Readonly<Record<string, KnownProgram["prepare"]>> = {
  tar: unbundleTarOptions,
  ssh: moveHostLast,
}

/** Other names under which a program reads its words in the same way. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  grep: ["egrep", "fgrep"],
  gzip: ["gunzip", "zcat"],
  xz: ["unxz", "xzcat", "lzma", "unlzma", "lzcat"],
}

/** Programs with a table of all their options. */
export const knownPrograms: ReadonlyMap<string, KnownProgram> = new Map(
  packages
    .flatMap((tables) => Object.entries(tables))
    .flatMap(([version, tables]) =>
      Object.entries(tables).flatMap(([first, table]) =>
        [first, ...(aliases[first] ?? [])].map((name): [string, KnownProgram] => {
          const judge = judges[name]
          const prepare = preparations[name]
          return [
            name,
            { table: { ...table, version }, ...(judge && { judge }), ...(prepare && { prepare }) },
          ]
        }),
      ),
    ),
)

export const programsWithTable: Readonly<Record<string, ProgramJudge>> = Object.fromEntries(
  [...knownPrograms].map(([name, program]) => [name, judgeByTable(name, program)]),
)
