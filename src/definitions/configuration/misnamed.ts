import { readdirSync } from "node:fs"
import path from "node:path"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { createVocabulary, findClosestWord, toPlainKey } from "../../ground/restricting.ts"
import { diagnose, type Problem } from "../formats/problem.ts"
import { isBackupCopy, isNoteOrScript } from "../formats/side-files.ts"

/** Reports files beside `config.yaml` with a misspelt name. They are not read, so their rules have no effect. */
export const findMisnamedFiles = (files: readonly string[]): readonly Diagnostic[] =>
  [...new Set(files.map((file) => path.dirname(file)))]
    .flatMap((folder) => namesIn(folder).map((name) => path.join(folder, name)))
    .flatMap((file) => diagnose(file, "", () => undefined, [misnamedProblem]))

/**
 * Whether a name begins like the name of a settings file: `config.yml`, `Config.yaml`, `_config.yaml`, `config.yaml.new`,
 * `config (copy).yaml`, `settings.json`. Notes, scripts, schemas and backup copies do not count.
 */
function looksLikeSettings(name: string): boolean {
  if (
    name === "config.yaml" ||
    isBackupCopy(name) ||
    /\b(?:dist|example|sample|schema|template)\b/i.test(name)
  )
    return false
  if (isNoteOrScript(name) && !/\.(?:ya?ml|json)\.txt$/i.test(name)) return false
  const [, word = ""] = /^[^a-z]*([a-z]+)/i.exec(name) ?? []
  return findClosestWord(toPlainKey(word), words) !== undefined
}

const words = createVocabulary(
  ["conf", "config", "configs", "configuration", "setting", "settings", "permissions"].map((word) => [
    word,
    word,
  ]),
)

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && looksLikeSettings(entry.name))
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}

const misnamedProblem: Problem = {
  code: "configuration-name",
  severity: "error",
  message: "This file is not read: settings must be in `config.yaml`. Rename it, or remove it.",
  at: { type: "start" },
}
