import { type Judged, type KnownProgram, knownProgram } from "../known-program.ts"
import type { Program } from "../scene.ts"
import type { Tables } from "../table.ts"
import { coreutils } from "./coreutils.ts"
import { hostLast, network } from "./network.ts"
import { packing, withoutBundle } from "./packing.ts"
import { running } from "./running.ts"
import { searching } from "./searching.ts"
import { askingTables, byHandTables } from "./tables/by-hand.ts"
import { coreutilsFiles } from "./tables/coreutils-files.ts"
import { coreutilsSystem } from "./tables/coreutils-system.ts"
import { coreutilsText } from "./tables/coreutils-text.ts"
import { everydayTables } from "./tables/everyday.ts"
import { networkTables } from "./tables/network.ts"
import { otherTables } from "./tables/others.ts"
import { wgetTables } from "./tables/wget.ts"

const judges: Readonly<Record<string, Judged>> = {
  ...coreutils,
  ...searching,
  ...packing,
  ...running,
  ...network,
}

const packages: readonly Readonly<Record<string, Tables>>[] = [
  { "coreutils 9.1": { ...coreutilsFiles, ...coreutilsText, ...coreutilsSystem } },
  everydayTables,
  otherTables,
  wgetTables,
  networkTables,
  byHandTables,
  askingTables,
]

const prepared: Readonly<Record<string, KnownProgram["prepare"]>> = { tar: withoutBundle, ssh: hostLast }

/** Other names of a program that read their words in the same way. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  grep: ["egrep", "fgrep"],
  gzip: ["gunzip", "zcat"],
  xz: ["unxz", "xzcat", "lzma", "unlzma", "lzcat"],
}

/** Programs with a table of everything that they can be told. */
export const knownPrograms: ReadonlyMap<string, KnownProgram> = new Map(
  packages
    .flatMap((tables) => Object.entries(tables))
    .flatMap(([version, tables]) =>
      Object.entries(tables).flatMap(([first, table]) =>
        [first, ...(aliases[first] ?? [])].map((name): [string, KnownProgram] => {
          const judge = judges[name]
          const prepare = prepared[name]
          return [
            name,
            { table: { ...table, version }, ...(judge && { judge }), ...(prepare && { prepare }) },
          ]
        }),
      ),
    ),
)

export const known: Readonly<Record<string, Program>> = Object.fromEntries(
  [...knownPrograms].map(([name, program]) => [name, knownProgram(name, program)]),
)
