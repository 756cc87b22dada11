import { accessSync, constants, existsSync } from "node:fs"
import path from "node:path"
import { createRangeFinder, type TextPosition } from "../../ground/diagnostics/position.ts"
import type { ScriptDeclarations, ScriptProblem } from "../../language/script/declarations.ts"
import { readScriptHeader } from "../../language/script/header.ts"
import { readPym } from "../../language/script/read-pym.ts"
import { readSourceFile } from "../formats/source.ts"
import { readServerScript } from "../servers/scripts.ts"

/** `program`: any file that the system can execute. It gets JSON on its input and prints JSON. */
export type ScriptLanguage = "python" | "javascript" | "typescript" | "program"

/** A script that was read and checked, and not run. */
export interface Script extends ScriptDeclarations {
  readonly file: string
  /** SHA-256 of its bytes. */
  readonly hash: string
  readonly language: ScriptLanguage
  /** Absent for a program that is no text. */
  readonly text?: string
  /** The text that the engine runs. Empty for a program. */
  readonly program: string
  readonly problems: readonly PlacedScriptFinding[]
}

export interface PlacedScriptFinding extends ScriptProblem {
  /** From 1. */
  readonly line: number
  readonly column: number
}

export type ScriptReading =
  | { readonly type: "script"; readonly script: Script }
  | {
      readonly type: "refused"
      readonly code: "FILE_NOT_FOUND" | "LOAD_ERROR"
      readonly message: string
    }

/** Reads a script. With a `boundary`, a file that leads out of that folder is refused. Never throws. */
export function readScriptFile(file: string, boundary?: string): ScriptReading {
  if (!existsSync(file))
    return { type: "refused", code: "FILE_NOT_FOUND", message: `The script ${file} does not exist.` }
  const language = detectScriptLanguage(file)
  return language === "program" ? readProgram(file, boundary) : readText(file, language, boundary)
}

const languages: Readonly<Record<string, ScriptLanguage>> = {
  ".pym": "python",
  ".js": "javascript",
  ".mjs": "javascript",
  ".ts": "typescript",
  ".mts": "typescript",
}

export const detectScriptLanguage = (file: string): ScriptLanguage =>
  languages[path.extname(file)] ?? "program"

function readText(file: string, language: ScriptLanguage, boundary: string | undefined): ScriptReading {
  const reading = readSourceFile(file, boundary)
  if (reading.type === "refused") return refused(file, reading.problem.message)
  const { text, hash } = reading.source
  const read = language === "python" ? readPym(text) : { ...readScriptHeader(text), program: text }
  return {
    type: "script",
    script: { ...read, file, hash, language, text, problems: place(text, read.problems) },
  }
}

/** A program may be no text at all: then it declares nothing, and the definition has to. */
function readProgram(file: string, boundary: string | undefined): ScriptReading {
  const content = readServerScript(file, boundary ?? path.parse(file).root)
  if (!content) return refused(file, "it is no regular file, is too large, or leads out of its folder")
  if (!isExecutable(file))
    return refused(
      file,
      `it is not executable, and its ending is none of ${Object.keys(languages).join(", ")}. Rename it, or make the program executable: chmod +x ${path.basename(file)}`,
    )
  const { hash, text } = content
  const read = readScriptHeader(text ?? "")
  const problems = place(text ?? "", read.problems)
  return {
    type: "script",
    script: {
      ...read,
      file,
      hash,
      language: "program",
      program: "",
      problems,
      ...(text !== undefined && { text }),
    },
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const refused = (file: string, why: string): ScriptReading => ({
  type: "refused",
  code: "LOAD_ERROR",
  message: `The script ${file} cannot be read: ${why.replace(/\.$/, "")}.`,
})

function place(text: string, problems: readonly ScriptProblem[]): readonly PlacedScriptFinding[] {
  if (problems.length === 0) return []
  const find = createRangeFinder(text)
  return problems.map((problem) => {
    const { line, column }: TextPosition = find(problem).start
    return { ...problem, line, column }
  })
}
