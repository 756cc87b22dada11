import { existsSync } from "node:fs"
import path from "node:path"

const names = ["AGENTS.md", "CLAUDE.md", ".cadre/rules.md"]

/** Files with rules of a project, those of its own folder first and of the nearest folder last. */
export const projectRules = (levels: readonly string[]): readonly string[] =>
  levels
    .toReversed()
    .flatMap((level) => names.map((name) => path.join(level, name)))
    .filter((file) => existsSync(file))
