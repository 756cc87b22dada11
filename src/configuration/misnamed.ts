import { existsSync } from "node:fs"
import path from "node:path"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { diagnose, type Problem } from "../formats/problem.ts"

/** Files beside `config.yaml` that were meant to be it: nobody reads them, and nothing that they forbid holds. */
export const misnamedBeside = (files: readonly string[]): readonly Diagnostic[] =>
  [...new Set(files.map((file) => path.join(path.dirname(file), "config.yml")))]
    .filter((file) => existsSync(file))
    .flatMap((file) => diagnose(file, "", () => undefined, [misnamed]))

const misnamed: Problem = {
  code: "configuration-name",
  severity: "error",
  message: "This file is not read: settings stand in `config.yaml`. Rename it, or remove it.",
  at: { type: "start" },
}
