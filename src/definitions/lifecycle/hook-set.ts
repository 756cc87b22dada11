import type { Json, JsonMap } from "../../ground/message.ts"
import type { WrittenHook } from "../../run/ports/hook.ts"

/** Hooks that stand in one place. */
export interface HookSet {
  readonly name: string
  /** The user's always hold. A project's hold unless a definition picks another set with `lifecycle`. */
  readonly of: "user" | "project"
  /** It holds only where a definition picks it. */
  readonly pickedOnly?: true
  /** Why that is so, where its file does not say `picked_only` itself. */
  readonly off?: string
  readonly hooks: Json
  /** Whose words it is written in. Left out: ours. */
  readonly words?: "gobby"
  /** Of several in Gobby's words, the lowest comes first. Default: 100, as there. */
  readonly priority?: number
  /** What runs start with, where nobody else says anything of these. */
  readonly variables?: JsonMap
  /** The file that it is written in. */
  readonly file?: string
  /** The keys of that file that lead to what these keys of `hooks` lead to. Left out: the same. */
  keysOf?(path: WrittenHook["path"]): WrittenHook["path"]
}
