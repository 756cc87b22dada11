import { readdirSync } from "node:fs"
import path from "node:path"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { diagnose, type Problem } from "../formats/problem.ts"

/** Files beside `config.yaml` that were meant to be it: nobody reads them, and nothing that they forbid holds. */
export const misnamedBeside = (files: readonly string[]): readonly Diagnostic[] =>
  [...new Set(files.map((file) => path.dirname(file)))]
    .flatMap((folder) => namesIn(folder).map((name) => path.join(folder, name)))
    .flatMap((file) => diagnose(file, "", () => undefined, [misnamed]))

/** `config.yml`, `config.json`, `Config.yaml`, `configuration.yaml`, `config.yaml.txt` and the like. */
const meant = /^config(?:uration)?(?:\.(?:ya?ml|ymal|jsonc?|json5|toml))?(?:\.txt)?$/i

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && entry.name !== "config.yaml" && meant.test(entry.name))
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
