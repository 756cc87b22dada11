import { readGobbyHooks } from "./gobby/read-file.ts"
import type { HookSet } from "./hook-set.ts"
import { type ParsedHooks, readHooks } from "./read-hooks.ts"

/** Reads the hooks of a set, in our format or in Gobby's. */
export const readSet = ({ hooks, name, words }: HookSet): ParsedHooks =>
  words === "gobby" ? readGobbyHooks(hooks, name) : readHooks(hooks, name)
