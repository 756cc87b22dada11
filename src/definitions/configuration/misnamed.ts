import { readdirSync } from "node:fs"
import path from "node:path"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { closestWord, plainKey, vocabularyOf } from "../../ground/restricting.ts"
import { isAside, isNoteOrScript } from "../formats/beside.ts"
import { diagnose, type Problem } from "../formats/problem.ts"

/** Files beside `config.yaml` that were meant to be it: nobody reads them, and nothing that they forbid holds. */
export const misnamedBeside = (files: readonly string[]): readonly Diagnostic[] =>
  [...new Set(files.map((file) => path.dirname(file)))]
    .flatMap((folder) => namesIn(folder).map((name) => path.join(folder, name)))
    .flatMap((file) => diagnose(file, "", () => undefined, [misnamed]))

/**
 * Whatever begins as settings are called, or nearly so: `config.yml`, `Config.yaml`, `_config.yaml`, `config.yaml.new`,
 * `config (copy).yaml`, `settings.json`. Notes, scripts, schemas, and copies that were put aside are none.
 */
function isMeant(name: string): boolean {
  if (name === "config.yaml" || isAside(name) || /\b(?:dist|example|sample|schema|template)\b/i.test(name))
    return false
  if (isNoteOrScript(name) && !/\.(?:ya?ml|json)\.txt$/i.test(name)) return false
  const [, word = ""] = /^[^a-z]*([a-z]+)/i.exec(name) ?? []
  return closestWord(plainKey(word), words) !== undefined
}

const words = vocabularyOf(
  ["conf", "config", "configs", "configuration", "setting", "settings", "permissions"].map((word) => [
    word,
    word,
  ]),
)

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && isMeant(entry.name))
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}

const misnamed: Problem = {
  code: "configuration-name",
  severity: "error",
  message: "This file is not read: settings stand in `config.yaml`. Rename it, or remove it.",
  at: { type: "start" },
}
