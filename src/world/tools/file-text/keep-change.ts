import type { BigIntStats } from "node:fs"
import type { FileContent, FileMode, FileWrite } from "../../../agent/file-change.ts"
import type { ToolContext } from "../../../agent/tool.ts"

/** Makes a change to a file. The log keeps both contents of the file, unless that is switched off. */
export const makeChange = <Value>(
  { changes }: Pick<ToolContext, "changes">,
  write: FileWrite,
  work: () => Promise<Value>,
): Promise<Value> => (changes ? changes.make(write, work) : work())

/** A file as it is, or as a new one with the mode of another. */
export const toFileContent = (bytes: Uint8Array, like?: { readonly stats: BigIntStats }): FileContent => ({
  bytes,
  ...(like && { mode: modeOf(like.stats) }),
})

const modeOf = ({ mode }: BigIntStats): FileMode =>
  (mode & 0o170000n) === 0o120000n ? "120000" : (mode & 0o100n) === 0n ? "100644" : "100755"
