import type { Access } from "../../agent/tool.ts"
import { createRangeFinder } from "../../ground/diagnostics/position.ts"
import { listKnownNames } from "../../ground/errors.ts"
import type { PlacedScriptFinding, Script } from "./read-script-file.ts"

/** A function that scripts may declare with `@external`. The rules about `tool` decide about its calls. */
export interface HostFunction {
  readonly tool: "Read" | "LS" | "Write" | "Bash"
  /** `repeat`: a call that a crash interrupted is made again. `never`: its outcome stays unknown. */
  readonly afterCrash: "repeat" | "never"
  /** The widest access that a call may need in a folder. It is judged before the script begins. */
  widest(folder: string): Access
}

const readAll = (folder: string): Access => ({ type: "read", path: folder, below: true })

/** The functions of the host, by name. */
export const hostFunctions: Readonly<Record<string, HostFunction>> = {
  read_file: { tool: "Read", afterCrash: "repeat", widest: readAll },
  file_exists: { tool: "Read", afterCrash: "repeat", widest: readAll },
  list_dir: { tool: "LS", afterCrash: "repeat", widest: readAll },
  write_file: {
    tool: "Write",
    afterCrash: "repeat",
    widest: (folder) => ({ type: "write", path: folder, below: true }),
  },
  run_command: {
    tool: "Bash",
    afterCrash: "never",
    widest: () => ({ type: "unclear", reason: "the script chooses its commands while it runs" }),
  },
}

/** The functions that a script declares and no host has. A program has no functions of the host at all. */
export function findUnknownExternals({
  externals,
  language,
  text = "",
}: Script): readonly PlacedScriptFinding[] {
  const knownFunctions = language === "program" ? [] : Object.keys(hostFunctions)
  const unknown = externals.filter(({ name }) => !knownFunctions.includes(name))
  if (unknown.length === 0) return []
  const find = createRangeFinder(text)
  return unknown.map(({ name, start, end }) => ({
    code: "external",
    severity: "error",
    message:
      language === "program"
        ? `A program cannot call ${name}: it has no functions of the host.`
        : `There is no function of the host named ${JSON.stringify(name)}. ${listKnownNames(name, knownFunctions)}`,
    start,
    end,
    line: find({ start, end }).start.line,
    column: find({ start, end }).start.column,
  }))
}
