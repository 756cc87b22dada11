import { existsSync, readFileSync } from "node:fs"
import path from "node:path"
import type { Format } from "../formats/format.ts"
import { formats } from "../formats/index.ts"

/** Formats that other tools write and cadre cannot read yet, by where their files lie. */
const later: readonly { readonly title: string; readonly pattern: RegExp }[] = [
  { title: "Codex TOML", pattern: /\.toml$/ },
  { title: "GitHub Copilot", pattern: /\.(agent|chatmode)\.md$|(^|\/)\.github\/agents\// },
  { title: "opencode", pattern: /(^|\/)\.opencode\/|(^|\/)opencode\.jsonc?$/ },
  { title: "Gemini CLI", pattern: /(^|\/)\.gemini\/agents\// },
  { title: "Cursor", pattern: /(^|\/)\.cursor\/agents\// },
  { title: "Goose", pattern: /(^|\/)(\.goose|recipes?)\/|\.recipe\.ya?ml$/ },
]

export type Detected =
  | { readonly type: "format"; readonly format: Format }
  /** Named so that whoever has such a file knows why it is not there. */
  | { readonly type: "later"; readonly title: string }
  | { readonly type: "unknown" }

/** Which format a file is in: by the folder it lies in, else by its ending. */
export function detectFormat(file: string): Detected {
  const normal = file.replaceAll(path.sep, "/")
  const ending = path.extname(normal).toLowerCase()
  const placed = formats.find(
    ({ locations }) =>
      locations.extensions.includes(ending) &&
      (locations.only?.test(normal) ?? true) &&
      [...locations.project, ...locations.user].some((folder) => `/${normal}`.includes(`/${folder}/`)),
  )
  if (placed) return { type: "format", format: placed }
  const other = later.find(({ pattern }) => pattern.test(normal))
  if (other) return { type: "later", title: other.title }
  const only = formats.find(({ locations }) => locations.only?.test(normal))
  if (only) return { type: "format", format: only }
  // Markdown that lies anywhere is what Claude Code and its many collections write.
  const id = ending === ".md" || ending === ".markdown" ? "claude" : "cadre"
  const byEnding = formats.find((format) => format.id === id)!
  return [".md", ".markdown", ".yaml", ".yml", ".json"].includes(ending)
    ? { type: "format", format: byEnding }
    : { type: "unknown" }
}

/** The plugin whose `agents` folder a file lies in: it is described by a file beside that folder. */
export function pluginOf(file: string): string | undefined {
  const parts = path.resolve(file).split(path.sep)
  const at = parts.lastIndexOf("agents")
  if (at < 1) return undefined
  const manifest = path.join(parts.slice(0, at).join(path.sep), ".claude-plugin", "plugin.json")
  if (!existsSync(manifest)) return undefined
  try {
    const { name } = JSON.parse(readFileSync(manifest, "utf8")) as { name?: unknown }
    return typeof name === "string" && name !== "" ? name : parts[at - 1]
  } catch {
    return parts[at - 1]
  }
}
