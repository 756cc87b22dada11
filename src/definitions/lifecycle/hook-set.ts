import type { Json, JsonMap } from "../../ground/message.ts"
import type { WrittenHook } from "../../run/ports/hook.ts"

/** Hooks of one file or one configuration. */
export interface HookSet {
  /** The name that `lifecycle` in a definition picks the set by. */
  readonly name: string
  /** A user's sets always apply. A project's sets apply unless a definition picks another set with `lifecycle`. */
  readonly of: "user" | "project"
  /** The set applies only to agents whose definition picks it. */
  readonly pickedOnly?: true
  /** The reason for `pickedOnly`, if the file itself does not say `picked_only`. */
  readonly off?: string
  /** The hooks by event, as they are written. They are checked when a run starts. */
  readonly hooks: Json
  /** The format of the hooks. Left out: ours. */
  readonly words?: "gobby"
  /** Of several sets in Gobby's format, the lowest priority comes first. Default: 100, as in Gobby. */
  readonly priority?: number
  /** The initial values of variables that neither the caller nor the agent sets. */
  readonly variables?: JsonMap
  /** The file of the set. */
  readonly file?: string
  /** Converts keys in `hooks` to keys in the file. Left out: they are the same. */
  keysOf?(path: WrittenHook["path"]): WrittenHook["path"]
}
