import { existsSync } from "node:fs"
import path from "node:path"

const names = ["AGENTS.md", "CLAUDE.md", ".cadre/rules.md"]

/** The rule files of a project, from its top folder to the nearest. */
export const findProjectRules = (levels: readonly string[]): readonly string[] =>
  levels
    .toReversed()
    .flatMap((level) => names.map((name) => path.join(level, name)))
    .filter((file) => existsSync(file))
