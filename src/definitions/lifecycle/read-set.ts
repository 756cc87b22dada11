import { readGobbyHooks } from "./gobby/read-file.ts"
import type { HookSet } from "./hook-set.ts"
import { type ReadHooks, readHooks } from "./read-hooks.ts"

/** The hooks of a set, in whichever words it is written. */
export const readSet = ({ hooks, name, words }: HookSet): ReadHooks =>
  words === "gobby" ? readGobbyHooks(hooks, name) : readHooks(hooks, name)
